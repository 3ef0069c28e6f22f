package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.ConfinementException;
import dev.sandbox.linux.Errno;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.SpawnRequest;
import dev.sandbox.linux.SyscallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** Makes rooms. */
final class RoomBuilder {
    private static final List<String> STAGES =
            List.of("/mnt", "/media", "/srv", "/opt", "/boot", "/home", "/var", "/run", "/tmp");

    private final LinuxSyscalls syscalls;
    private final ConfinedSpawn spawn;
    private final FileSystemView files;
    private final Tools tools;

    RoomBuilder(LinuxSyscalls syscalls, ConfinedSpawn spawn, FileSystemView files, Tools tools) {
        this.syscalls = syscalls;
        this.spawn = spawn;
        this.files = files;
        this.tools = tools;
    }

    Furnishing furnishing(MountPlan plan) {
        return Furnishing.of(plan, stage(plan), syscalls);
    }

    /**
     * Builds one.
     *
     * @throws SandboxUnavailableException naming the mount and the errno
     */
    Room build(Furnishing furnishing) {
        LinuxSyscalls.Pipe control = syscalls.pipe();
        try (FileDescriptor theirs = control.readEnd();
                Answers answers = new Answers(syscalls)) {
            NativeProcess holder = spawn.spawn(request(furnishing.plan(), List.of(answers.theirs(), theirs)));
            answers.begin();
            return furnish(holder, furnishing, answers, control.writeEnd());
        } catch (ConfinementException | SyscallException e) {
            control.writeEnd().close();
            throw new SandboxUnavailableException("mountns", e.getMessage() + "; nothing ran", Enforcer.WAY_OUT, e);
        } catch (RuntimeException | Error e) {
            control.writeEnd().close();
            throw e;
        }
    }

    private Room furnish(NativeProcess holder, Furnishing furnishing, Answers answers, FileDescriptor control) {
        try {
            tell(control, RoomScript.render(furnishing.plan(), furnishing.stage(), tools));
            await(answers, holder, RoomScript.STAGED);
            int init = onlyChild((int) holder.pid());
            new StagedRoot(syscalls.raw(), furnishing.stage(), furnishing.plan(), furnishing.fstab()).fill(init);
            tell(control, RoomScript.GO);
            await(answers, holder, RoomScript.ENTERED);
            MountCheck.verify(furnishing.plan(), MountTable.parse(lines("/proc/" + init + "/mountinfo")));
            return Room.of(holder, init, control, furnishing.plan(), syscalls);
        } catch (RuntimeException | Error e) {
            holder.close();
            throw e;
        }
    }

    private static void await(Answers answers, NativeProcess holder, String word) {
        if (answers.await(word).isEmpty()) {
            throw answers.failure(holder, Enforcer.WAY_OUT, RoomScript.STAGED, RoomScript.ENTERED);
        }
    }

    private void tell(FileDescriptor control, String text) {
        try (NativeArena arena = new NativeArena()) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            long address = arena.bytes(bytes);
            for (int sent = 0; sent < bytes.length; ) {
                long result = syscalls.raw().write(control.number(), address + sent, bytes.length - (long) sent);
                if (result == -Errno.EPIPE.number()) {
                    // It has ended; what it said tells why.
                    return;
                }
                if (result != -Errno.EINTR.number()) {
                    sent += LinuxSyscalls.check((int) result, "write", "script");
                }
            }
        }
    }

    /** The process that unshare(1) has forked: the init of the new PID namespace, by its number out here. */
    private static int onlyChild(int parent) {
        String children = lines("/proc/" + parent + "/task/" + parent + "/children")
                .findFirst()
                .orElse("");
        try {
            return Integer.parseInt(children.trim().split(" ")[0]);
        } catch (NumberFormatException e) {
            throw new SandboxUnavailableException(
                    "mountns", "the sandbox ended while it was set up; nothing ran", "", e);
        }
    }

    private SpawnRequest request(MountPlan plan, List<FileDescriptor> descriptors) {
        List<String> argv = tools.unshare("--uts");
        if (plan.network() == MountPlan.Network.NONE) {
            argv.add("--net");
        }
        argv.addAll(List.of("--", tools.get("sh"), "/proc/self/fd/4"));
        return SpawnRequest.builder()
                .addPrograms(tools.get("unshare"))
                .argv(argv)
                .environment(Map.of())
                .workingDirectory("/")
                .descriptors(descriptors)
                .marker(UUID.randomUUID().toString())
                .build();
    }

    private AbsolutePath stage(MountPlan plan) {
        return STAGES.stream()
                .map(AbsolutePath::of)
                .filter(stage -> files.kind(stage) == EntryKind.DIRECTORY)
                .filter(stage -> plan.operations().stream().noneMatch(operation -> touches(operation, stage)))
                .findFirst()
                .orElseThrow(() -> new SandboxUnavailableException(
                        "mountns",
                        "there is no place to build a root: each of " + String.join(", ", STAGES)
                                + " is missing or touched by a grant",
                        "make one of them a directory that no grant needs"));
    }

    private static boolean touches(MountOperation operation, AbsolutePath stage) {
        boolean fromHost = operation instanceof MountOperation.SymbolicLink
                || (operation instanceof MountOperation.Bind bind && bind.origin() == MountOperation.Origin.HOST);
        return fromHost
                && (stage.contains(operation.target()) || operation.target().contains(stage));
    }

    private static Stream<String> lines(String path) {
        try {
            return Files.readAllLines(Path.of(path), StandardCharsets.UTF_8).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
