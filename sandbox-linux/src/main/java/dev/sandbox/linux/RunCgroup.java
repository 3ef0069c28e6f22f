package dev.sandbox.linux;

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
 * A cgroup of one run, which holds every process of it, however it hides, and is killed as one. The child is moved into it before it
 * becomes the program: a shell waits for that at a gate, a pipe, and executes the program then.
 *
 * <p>Nothing leaves it that can neither write to a cgroup file system nor call clone3(2): that is for whoever confines the child.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html#core-interface-files">cgroup.procs, cgroup.kill</a>
 */
public final class RunCgroup implements AutoCloseable {
    /** How their names begin; a marker follows. */
    static final String PREFIX = "sandbox-";

    private static final Logger LOG = LoggerFactory.getLogger(RunCgroup.class);
    private static final String WAIT = "read -r _ <&3 && exec 3<&- && exec \"$@\"";

    private final LinuxSyscalls syscalls;
    private final Path folder;
    private final LinuxSyscalls.Pipe gate;

    private RunCgroup(LinuxSyscalls syscalls, Path folder, LinuxSyscalls.Pipe gate) {
        this.syscalls = syscalls;
        this.folder = folder;
        this.gate = gate;
    }

    /**
     * Makes one.
     *
     * @param parent see {@link CgroupDelegation#usable()}
     * @throws SyscallException when it cannot be made
     */
    public static RunCgroup make(Path parent, String marker, LinuxSyscalls syscalls) {
        LinuxSyscalls.Pipe gate = syscalls.pipe();
        try (FileDescriptor directory = syscalls.open(parent.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY)) {
            syscalls.mkdirat(directory, PREFIX + marker, 0755);
            return new RunCgroup(syscalls, parent.resolve(PREFIX + marker), gate);
        } catch (RuntimeException | Error e) {
            close(gate);
            throw e;
        }
    }

    private static void close(LinuxSyscalls.Pipe gate) {
        gate.readEnd().close();
        gate.writeEnd().close();
    }

    /** The child's side of the gate, its descriptor 3. */
    FileDescriptor gate() {
        return gate.readEnd();
    }

    /** What to put before the program's arguments. */
    static List<String> launcher() {
        return List.of("/bin/sh", "-c", WAIT, "sandbox-cgroup");
    }

    /** Moves the child here and opens the gate. */
    void admit(int pid) {
        write("cgroup.procs", String.valueOf(pid));
        try (NativeArena arena = new NativeArena()) {
            int written = (int) syscalls.raw().write(gate.writeEnd().number(), arena.bytes(new byte[] {'\n'}), 1);
            LinuxSyscalls.check(written, "write", "the gate");
        } finally {
            close(gate);
        }
    }

    /** SIGKILL to all of it at once; what forks meanwhile is killed too. */
    void kill() {
        write("cgroup.kill", "1");
    }

    /** Who is in it and has not ended. */
    Set<Integer> processes() {
        try {
            return Files.readAllLines(folder.resolve("cgroup.procs")).stream()
                    .map(Integer::valueOf)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String file, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        try (FileDescriptor fd = syscalls.open(folder.resolve(file).toString(), Fcntl.O_WRONLY);
                NativeArena arena = new NativeArena()) {
            int written = (int) syscalls.raw().write(fd.number(), arena.bytes(bytes), bytes.length);
            LinuxSyscalls.check(written, "write", file);
        }
    }

    /** Removes it; once all of it has ended. */
    @Override
    public void close() {
        close(gate);
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", folder, e.getMessage());
        }
    }
}
