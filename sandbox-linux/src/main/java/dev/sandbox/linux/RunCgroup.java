package dev.sandbox.linux;

import dev.sandbox.linux.spawn.Argument;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.FileCalls;
import dev.sandbox.linux.uapi.Fcntl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cgroup of one run, which holds every process of it, however it hides, and is killed as one. The child is born into it; where a
 * filter around this process answers clone3(2) with ENOSYS, it moves there itself, before it is confined.
 *
 * <p>Nothing leaves it by itself that can neither write to a cgroup file system nor call clone3(2): that is for whoever confines the child.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html#core-interface-files">cgroup.procs, cgroup.kill</a>
 */
public final class RunCgroup implements AutoCloseable {
    /** How their names begin; a marker follows. */
    static final String PREFIX = "sandbox-";

    private final LinuxSyscalls syscalls;
    private final Path folder;
    private final FileDescriptor directory;
    // Open from the start: it has to be possible when no descriptor is left.
    private final FileDescriptor killSwitch;

    private RunCgroup(LinuxSyscalls syscalls, Path folder, FileDescriptor directory) {
        this.syscalls = syscalls;
        this.folder = folder;
        this.directory = directory;
        this.killSwitch = syscalls.open(folder.resolve("cgroup.kill").toString(), Fcntl.O_WRONLY);
    }

    /**
     * Makes one.
     *
     * @param parent see {@link CgroupDelegation#usable()}
     * @throws SyscallException when it cannot be made
     */
    public static RunCgroup make(Path parent, String marker, LinuxSyscalls syscalls) {
        try (FileDescriptor above = syscalls.open(parent.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY)) {
            syscalls.mkdirat(above, PREFIX + marker, 0755);
        }
        Path folder = parent.resolve(PREFIX + marker);
        FileDescriptor directory;
        try {
            directory = syscalls.open(folder.toString(), Fcntl.O_RDONLY | Fcntl.O_DIRECTORY);
        } catch (RuntimeException | Error e) {
            remove(folder);
            throw e;
        }
        try {
            return new RunCgroup(syscalls, folder, directory);
        } catch (RuntimeException | Error e) {
            directory.close();
            remove(folder);
            throw e;
        }
    }

    private static void remove(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            Log.LOG.warn("{} could not be removed: {}", folder, e.getMessage());
        }
    }

    /** To be born into. */
    FileDescriptor directory() {
        return directory;
    }

    /** What a child does to move here by itself; it must be able to name this folder. */
    List<Entry> entries() {
        return FileCalls.write("enter the cgroup", Argument.of(directory.number()), "cgroup.procs", "0");
    }

    /** SIGKILL to all of it at once; what forks meanwhile is killed too. Not to be called after {@link #close}. */
    void kill() {
        write(killSwitch, "cgroup.kill", "1");
    }

    /** Who is in it and has not ended; nobody, where that cannot be read, so that the others who look for them go on. */
    Set<Integer> processes() {
        try {
            return Files.readAllLines(folder.resolve("cgroup.procs")).stream()
                    .map(Integer::valueOf)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException | UncheckedIOException e) {
            Log.LOG.warn("{} cannot be read: {}", folder, e.getMessage());
            return Set.of();
        }
    }

    private void write(FileDescriptor fd, String file, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        try (NativeArena arena = new NativeArena()) {
            int written = (int) syscalls.raw().write(fd.number(), arena.bytes(bytes), bytes.length);
            LinuxSyscalls.check(written, "write", file);
        }
    }

    /** Removes it; once all of it has ended. */
    @Override
    public void close() {
        directory.close();
        killSwitch.close();
        remove(folder);
    }

    /** Loaded when there is something to say: finding who logs means opening every jar of the class path. */
    private static final class Log {
        static final Logger LOG = LoggerFactory.getLogger(RunCgroup.class);
    }
}
