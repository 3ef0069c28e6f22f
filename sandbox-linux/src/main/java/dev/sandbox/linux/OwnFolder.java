package dev.sandbox.linux;

import dev.sandbox.domain.isolation.HostFiles.Removal;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.uapi.Fcntl;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Folders that the sandbox makes among a user's own: each holds a {@code .gitignore} of {@code *} whose first line says which folder
 * it is in, by inode and time of birth. A folder that stood before has none, and neither a copy nor a moved file makes one.
 *
 * <p>A step can write such a file, too: into a folder that it may write, and could empty itself. What its policy keeps it from must be
 * left out by whoever removes.
 */
final class OwnFolder {
    static final String MARK = ".gitignore";

    private static final String BEGINNING = "# Made by sandbox for its steps; \"sandbox clean\" removes this folder. ";
    private static final int FOLDER = Fcntl.O_RDONLY | Fcntl.O_DIRECTORY | Fcntl.O_NOFOLLOW;
    /** Not blocking: a step may have put a FIFO there. */
    private static final int FILE = Fcntl.O_RDONLY | Fcntl.O_NOFOLLOW | Fcntl.O_NONBLOCK | Fcntl.O_NOCTTY;

    private static final int LONGEST = 512;

    private final LinuxSyscalls syscalls;
    private final HostDirectories directories;
    private final Optional<Identity> owner;

    OwnFolder(LinuxSyscalls syscalls, HostDirectories directories, Optional<Identity> owner) {
        this.syscalls = syscalls;
        this.directories = directories;
        this.owner = owner;
    }

    /** Of a folder that was just made. */
    void mark(AbsolutePath directory) {
        String text;
        try (FileDescriptor folder = syscalls.openCanonical(directory.toString())) {
            text = text(syscalls.status(folder).identity());
        }
        HostDirectories.Written unused =
                directories.writeIfMissing(directory, MARK, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Without the device's number, which is another after a restart. */
    private static String text(FileStatus.Identity folder) {
        return BEGINNING + folder.inode() + "." + folder.bornSeconds() + "." + folder.bornNanos() + "\n*\n";
    }

    Removal remove(AbsolutePath directory) {
        try {
            Optional<FileStatus.Identity> ours = ours(directory);
            ours.ifPresent(folder -> new TreeRemoval(syscalls).remove(directory, folder));
            return ours.isPresent() ? Removal.REMOVED : Removal.NOT_OURS;
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return Removal.MISSING;
            }
            throw new SandboxUnavailableException(
                    "clean", directory + " cannot be removed: " + e.getMessage(), "look at that folder", e);
        }
    }

    private Optional<FileStatus.Identity> ours(AbsolutePath directory) {
        try (FileDescriptor parent =
                        syscalls.openCanonical(directory.parent().orElseThrow().toString());
                FileDescriptor folder = syscalls.openat(parent, directory.name(), FOLDER, 0)) {
            FileStatus.Identity identity = syscalls.status(folder).identity();
            boolean mine =
                    syscalls.owner(folder).uid() == account() && text(identity).equals(markIn(folder));
            return mine ? Optional.of(identity) : Optional.empty();
        } catch (SyscallException e) {
            if (e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP) || e.is(Errno.EACCES)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private long account() {
        return owner.map(Identity::uid)
                .orElseGet(() -> Integer.toUnsignedLong(syscalls.raw().geteuid()));
    }

    private String markIn(FileDescriptor folder) {
        try (FileDescriptor file = syscalls.openat(folder, MARK, FILE, 0);
                NativeArena arena = new NativeArena()) {
            if (syscalls.kind(file) != FileKind.FILE) {
                return "";
            }
            long buffer = arena.allocate(LONGEST);
            int length = (int) Math.max(syscalls.raw().read(file.number(), buffer, LONGEST), 0);
            byte[] bytes = new byte[length];
            NativeArena.copy(buffer, bytes, 0, length);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (SyscallException noFile) {
            return "";
        }
    }
}
