package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Fcntl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cgroup of one run, which holds every process of it, however it hides, and is killed as one. The child is moved into it before it
 * becomes the program: a shell waits for that at a gate, a pipe, and executes the program then. The shell has nothing of the program's
 * environment before, or a {@code LD_PRELOAD} in it would run outside of the cgroup.
 *
 * <p>Nothing leaves it by itself that can neither write to a cgroup file system nor call clone3(2): that is for whoever confines the child.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html#core-interface-files">cgroup.procs, cgroup.kill</a>
 */
public final class RunCgroup implements AutoCloseable {
    /** How their names begin; a marker follows. */
    static final String PREFIX = "sandbox-";

    private static final Logger LOG = LoggerFactory.getLogger(RunCgroup.class);
    private static final String WAIT = "read -r _ <&3 && exec 3<&- || exit";

    private final LinuxSyscalls syscalls;
    private final Path folder;
    private final LinuxSyscalls.Pipe gate;
    // Open from the start: it has to be possible when no descriptor is left.
    private final FileDescriptor killSwitch;

    private RunCgroup(LinuxSyscalls syscalls, Path folder, LinuxSyscalls.Pipe gate) {
        this.syscalls = syscalls;
        this.folder = folder;
        this.gate = gate;
        this.killSwitch = syscalls.open(folder.resolve("cgroup.kill").toString(), Fcntl.O_WRONLY);
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
        } catch (RuntimeException | Error e) {
            close(gate);
            throw e;
        }
        Path folder = parent.resolve(PREFIX + marker);
        try {
            return new RunCgroup(syscalls, folder, gate);
        } catch (RuntimeException | Error e) {
            close(gate);
            remove(folder);
            throw e;
        }
    }

    private static void remove(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", folder, e.getMessage());
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

    /** What to put before the program's arguments; its own environment is the {@linkplain MangledEnvironment mangled} one. */
    static List<String> launcher(Map<String, String> environment) {
        List<String> script = new ArrayList<>(List.of(WAIT));
        script.addAll(MangledEnvironment.restoring(environment));
        script.add("exec \"$@\"");
        return List.of("/bin/sh", "-c", String.join("\n", script), "sandbox-cgroup");
    }

    /** Moves the child here and opens the gate. */
    void admit(int pid) {
        try (FileDescriptor members =
                syscalls.open(folder.resolve("cgroup.procs").toString(), Fcntl.O_WRONLY)) {
            write(members, "cgroup.procs", String.valueOf(pid));
        }
        try (NativeArena arena = new NativeArena()) {
            int written = (int) syscalls.raw().write(gate.writeEnd().number(), arena.bytes(new byte[] {'\n'}), 1);
            LinuxSyscalls.check(written, "write", "the gate");
        } finally {
            close(gate);
        }
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
            LOG.warn("{} cannot be read: {}", folder, e.getMessage());
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
        close(gate);
        killSwitch.close();
        remove(folder);
    }
}
