package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.FileDetails;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.linux.uapi.Fcntl;
import java.util.Optional;

/**
 * Tells folders in which neither this process nor its step can make anything: a missing blocked path there needs no placeholder, and
 * could not have one. As the folder is now; a step cannot change it, its owner can.
 */
public final class ClosedFolders {
    private final RawSyscalls raw;
    private final FileDetails details;
    private final Optional<Identity> step;

    /** @param step as whom the step runs, when that is another than the caller */
    public ClosedFolders(LinuxSyscalls syscalls, Optional<Identity> step) {
        this.raw = syscalls.raw();
        this.details = new HostFileSystemView(syscalls).details();
        this.step = step;
    }

    /**
     * Whether the folder is on a read-only file system, is immutable, or belongs to somebody else who lets neither write. One of the
     * step's own account never is, for the step may change its mode. Nor is one that refuses this process when the step is another
     * account, which may have rights that this process has not (a file server that trusts no root).
     */
    public boolean isClosed(AbsolutePath folder) {
        int result = writing(folder);
        return result == -Errno.EROFS.number()
                || result == -Errno.EPERM.number()
                || (result == -Errno.EACCES.number() && step.isEmpty() && isForeign(folder));
    }

    /** Whether its file system is read-only, or is mounted so where this process sees it. */
    public boolean isReadOnly(AbsolutePath folder) {
        return writing(folder) == -Errno.EROFS.number();
    }

    private int writing(AbsolutePath folder) {
        try (NativeArena arena = new NativeArena()) {
            return raw.access(arena.string(folder.toString()), Fcntl.W_OK);
        }
    }

    private boolean isForeign(AbsolutePath folder) {
        Optional<Identity> caller = details.caller();
        return details.ownership(folder)
                .filter(found -> caller.isPresent()
                        && found.owner().uid() != caller.get().uid())
                .isPresent();
    }
}
