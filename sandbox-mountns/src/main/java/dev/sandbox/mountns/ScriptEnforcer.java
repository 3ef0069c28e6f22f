package dev.sandbox.mountns;

import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.LinuxSyscalls;

/**
 * The way of an ordinary user, by util-linux: a script makes a user namespace and the others in it and carries out the plan there
 * ({@link Room}), and each step enters it and is given a PID namespace of its own ({@link StepEntry}).
 */
final class ScriptEnforcer implements Enforcer {
    private final RoomBuilder rooms;
    private final StepEntry entry;

    ScriptEnforcer(LinuxSyscalls syscalls, ConfinedSpawn spawn, FileSystemView files) {
        this(syscalls, spawn, files, Tools.find());
    }

    ScriptEnforcer(LinuxSyscalls syscalls, ConfinedSpawn spawn, FileSystemView files, Tools tools) {
        this.rooms = new RoomBuilder(syscalls, spawn, files, tools);
        this.entry = new StepEntry(syscalls, spawn, tools);
    }

    @Override
    public String name() {
        return "script";
    }

    @Override
    public Promise runAs() {
        return Promise.missing("a user namespace knows one identity", "root, with CAP_SYS_ADMIN");
    }

    @Override
    public EnforcerSession open() {
        return new ScriptSession(rooms, entry);
    }
}
