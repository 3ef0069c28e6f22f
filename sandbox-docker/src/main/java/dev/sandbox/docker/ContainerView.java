package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.Errno;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.FileStatus;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.OpenHow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A container's files as its processes see them, looked at from outside, through /proc/PID of one of them. All looks go through one
 * descriptor of that folder, which never comes to mean another process.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_root.5.html">proc_pid_root(5)</a>
 */
final class ContainerView implements AutoCloseable {
    private static final int SHORT_ID = 12;
    private static final int MOST_TRIES = 100;

    private final LinuxSyscalls syscalls;
    private final FileDescriptor root;
    private final Map<Long, Mount> mounts;

    /** One line of mountinfo. */
    record Mount(String type, Writing writing) {
        /** Whether this mount lets anybody write. */
        enum Writing {
            ALLOWED,
            READ_ONLY
        }
    }

    /** What stands at a path, and the mount that shows it. */
    record Entry(FileStatus status, Optional<Mount> mount) {}

    private ContainerView(LinuxSyscalls syscalls, FileDescriptor root, Map<Long, Mount> mounts) {
        this.syscalls = syscalls;
        this.root = root;
        this.mounts = mounts;
    }

    /**
     * A view through a process of the container.
     *
     * @throws SyscallException EACCES when this account may not look through that process
     * @throws SandboxUnavailableException when there is no such process of that container on this machine
     */
    static ContainerView of(String container, long pid, LinuxSyscalls syscalls) {
        try (FileDescriptor process = syscalls.open("/proc/" + pid, Fcntl.O_PATH | Fcntl.O_DIRECTORY)) {
            Path folder = Path.of("/proc/self/fd/" + process.number());
            requireMember(container, Files.readString(folder.resolve("cgroup")));
            FileDescriptor root = syscalls.openat(process, "root", Fcntl.O_PATH, 0);
            try {
                return new ContainerView(syscalls, root, parse(HostMounts.lines(folder.resolve("mountinfo"))));
            } catch (IOException | RuntimeException e) {
                root.close();
                throw e;
            }
        } catch (IOException e) {
            throw notHere(e.getMessage(), e);
        } catch (SyscallException e) {
            if (e.is(Errno.EACCES) || e.is(Errno.EPERM)) {
                throw e;
            }
            throw notHere(e.getMessage(), e);
        }
    }

    /** The number may mean another process here: the engine may live in another PID namespace, or the process may be gone. */
    private static void requireMember(String container, String cgroups) {
        if (!cgroups.contains(container.substring(0, Math.min(SHORT_ID, container.length())))) {
            throw notHere("process and cgroup do not belong together", null);
        }
    }

    private static SandboxUnavailableException notHere(
            @Nullable String what, @org.jspecify.annotations.Nullable Throwable cause) {
        return new SandboxUnavailableException(
                "docker",
                "what the engine has mounted cannot be checked: its containers are not seen from here (" + what + ")",
                "use an engine of this machine, from its PID namespace; or the backend landlock or mountns",
                cause);
    }

    static Map<Long, Mount> parse(List<String> mountinfo) {
        Map<Long, Mount> mounts = new HashMap<>();
        for (String line : mountinfo) {
            String[] halves = line.split(" - ", 2);
            String[] fields = halves[0].split(" ");
            boolean readOnly = List.of(fields[5].split(",")).contains("ro");
            mounts.put(
                    Long.parseLong(fields[0]),
                    new Mount(
                            halves[1].substring(0, halves[1].indexOf(' ')),
                            readOnly ? Mount.Writing.READ_ONLY : Mount.Writing.ALLOWED));
        }
        return mounts;
    }

    /** The entry at a path to which the image's own links may lead. */
    FileDescriptor open(AbsolutePath path) {
        return open(root, path.toString(), OpenHow.RESOLVE_IN_ROOT);
    }

    /** The entry at a path below another one, to which no link leads. */
    FileDescriptor openBelow(FileDescriptor outer, AbsolutePath outerPath, AbsolutePath path) {
        List<String> names = path.components()
                .subList(outerPath.components().size(), path.components().size());
        return open(outer, String.join("/", names), OpenHow.RESOLVE_BENEATH | OpenHow.RESOLVE_NO_SYMLINKS);
    }

    /** EAGAIN is the kernel's word that something moved while it looked. */
    private FileDescriptor open(FileDescriptor from, String path, int resolve) {
        for (int tries = 1; ; tries++) {
            try {
                return syscalls.openBelow(from, path, resolve);
            } catch (SyscallException e) {
                if (!e.is(Errno.EAGAIN) || tries >= MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    Entry entry(FileDescriptor opened) {
        FileStatus status = syscalls.status(opened);
        return new Entry(status, Optional.ofNullable(mounts.get(status.mountId())));
    }

    @Override
    public void close() {
        root.close();
    }
}
