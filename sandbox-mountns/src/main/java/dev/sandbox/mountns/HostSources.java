package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.FileKind;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.SyscallException;
import java.util.HashMap;
import java.util.Map;

/**
 * The host's files that are shown to steps, as they were when they were looked up: held open, so that the number of each is nobody
 * else's. One thread at a time.
 */
final class HostSources implements AutoCloseable {
    private final LinuxSyscalls syscalls;
    private final Map<AbsolutePath, Source> known = new HashMap<>();

    /**
     * One of them.
     *
     * @param file keeps it
     * @param inode its number
     * @param device where it lies
     */
    record Source(FileDescriptor file, long inode, long device) {}

    HostSources(LinuxSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    /**
     * Looks up what a plan needs and is not known yet.
     *
     * @throws SandboxUnavailableException when something is not as the plan has it
     */
    void lookUp(MountPlan plan) {
        // They are made anew for each step, so what was known by that name is another by now.
        plan.hostPlaceholders().forEach(placeholder -> forget(placeholder.path()));
        MountProgram.sources(plan).forEach((path, kind) -> {
            if (!known.containsKey(path)) {
                known.put(path, open(path, kind));
            }
        });
    }

    private void forget(AbsolutePath path) {
        Source source = known.remove(path);
        if (source != null) {
            source.file().close();
        }
    }

    private Source open(AbsolutePath path, EntryKind kind) {
        FileDescriptor file;
        try {
            file = syscalls.openCanonical(path.toString());
        } catch (SyscallException e) {
            throw changed(path, String.valueOf(e.getMessage()));
        }
        try {
            if ((syscalls.kind(file) == FileKind.DIRECTORY) != (kind == EntryKind.DIRECTORY)) {
                throw changed(path, path + " was replaced while the policy was being enforced");
            }
            LinuxSyscalls.FileNumber number = syscalls.number(file);
            return new Source(file, number.inode(), number.device());
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    private static SandboxUnavailableException changed(AbsolutePath path, String why) {
        return new SandboxUnavailableException(
                "mountns", why + "; nothing ran", "run the command again when nothing replaces " + path);
    }

    Source get(AbsolutePath path) {
        Source source = known.get(path);
        if (source == null) {
            throw new IllegalStateException(path + " was not looked up");
        }
        return source;
    }

    /** Forgets all: the next plan looks them up anew. */
    @Override
    public void close() {
        known.values().forEach(source -> source.file().close());
        known.clear();
    }
}
