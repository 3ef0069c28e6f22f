package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.path.Ownership;
import dev.sandbox.domain.path.Ownership.Right;
import dev.sandbox.linux.uapi.Fcntl;
import java.util.Optional;

/**
 * Looks whether a folder can be the step's own, without making it. What it says may be outdated at once: whoever then makes the folder
 * takes care himself.
 */
final class FolderObstacle {
    private static final int ALL = Fcntl.R_OK | Fcntl.W_OK | Fcntl.X_OK;

    private final LinuxSyscalls syscalls;
    private final HostFileSystemView files;
    private final Optional<Identity> owner;

    /** @param owner as whom the step runs, when that is another than the caller */
    FolderObstacle(LinuxSyscalls syscalls, Optional<Identity> owner) {
        this.syscalls = syscalls;
        this.files = new HostFileSystemView(syscalls);
        this.owner = owner;
    }

    Optional<String> find(AbsolutePath directory) {
        return switch (files.kind(directory)) {
            case DIRECTORY -> {
                Optional<String> refused = refused(directory, ALL);
                yield refused.isPresent() ? refused : ofTheStep(directory);
            }
            case MISSING -> missing(directory);
            case SYMLINK -> Optional.of(directory + " is a symbolic link");
            case FILE, SOCKET, FIFO, DEVICE -> Optional.of(directory + " is not a directory");
            case DENIED -> Optional.of(directory + " cannot be examined by this account");
        };
    }

    /** The caller makes it, whoever the step is. */
    private Optional<String> missing(AbsolutePath directory) {
        AbsolutePath above = directory;
        while (files.kind(above) == EntryKind.MISSING) {
            above = above.parent().orElse(AbsolutePath.ROOT);
        }
        return files.kind(above) == EntryKind.DIRECTORY
                ? refused(above, Fcntl.W_OK | Fcntl.X_OK)
                : Optional.of(above + " is not a directory");
    }

    private Optional<String> refused(AbsolutePath directory, int rights) {
        try (NativeArena arena = new NativeArena()) {
            int result = syscalls.raw().access(arena.string(directory.toString()), rights);
            return result < 0
                    ? Optional.of(directory + belongs(directory) + " cannot be written by this account: "
                            + Errno.describe(-result))
                    : Optional.empty();
        }
    }

    private String belongs(AbsolutePath directory) {
        Optional<Ownership> found = files.details().ownership(directory);
        Optional<Identity> caller = files.details().caller();
        return found.isPresent()
                        && caller.isPresent()
                        && found.get().owner().uid() != caller.get().uid()
                ? " belongs to uid " + found.get().owner().uid() + " and"
                : "";
    }

    /** Root's step has none of root's capabilities, and neither has another identity. */
    private Optional<String> ofTheStep(AbsolutePath directory) {
        Optional<Identity> step = owner.isPresent() ? owner : files.details().caller();
        Optional<Ownership> found = files.details().ownership(directory);
        boolean asTheCaller = owner.isEmpty() && step.isPresent() && !step.get().isRoot();
        if (step.isEmpty() || found.isEmpty() || asTheCaller || allows(found.get(), step.get())) {
            return Optional.empty();
        }
        return Optional.of(directory + " belongs to uid " + found.get().owner().uid()
                + " and cannot be written by a step of uid " + step.get().uid());
    }

    private static boolean allows(Ownership found, Identity who) {
        return found.allows(who, Right.READ) && found.allows(who, Right.WRITE) && found.allows(who, Right.PASS);
    }
}
