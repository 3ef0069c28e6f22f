package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.Errno;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Fcntl;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Fills the new root of the script from outside, through {@code /proc/PID/root}: who made a user namespace has every capability over
 * the processes in it, and a system call costs a thousandth of a mkdir(1) that a script would start. Only the script is in there yet.
 */
final class StagedRoot {
    private static final int NEW_FILE = Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_CLOEXEC;

    private final RawSyscalls raw;
    private final AbsolutePath stage;
    private final MountPlan plan;
    private final List<String> fstab;

    StagedRoot(RawSyscalls raw, AbsolutePath stage, MountPlan plan, List<String> fstab) {
        this.raw = raw;
        this.stage = stage;
        this.plan = plan;
        this.fstab = fstab;
    }

    /**
     * Makes every placeholder and link, and the fstab.
     *
     * @param init the namespace's first process, by its number out here
     */
    void fill(int init) {
        try (NativeArena arena = new NativeArena();
                NewRoot root = new NewRoot(raw)) {
            String path = "/proc/" + init + "/root" + stage;
            check(root.open(arena.string(path)), "reach the new root by " + path);
            plan.operations().forEach(operation -> make(operation, root, arena));
            writeFstab(root, arena);
        }
    }

    private static void make(MountOperation operation, NewRoot root, NativeArena arena) {
        long target = arena.string(AbsolutePath.ROOT.relativize(operation.target()));
        if (operation instanceof MountOperation.DirectoryPlaceholder directory) {
            check(root.directory(target, directory.mode()), operation.line());
        } else if (operation instanceof MountOperation.FilePlaceholder file) {
            check(root.file(target, file.mode()), operation.line());
        } else if (operation instanceof MountOperation.SymbolicLink link) {
            check(root.link(target, arena.string(link.text())), operation.line());
        }
    }

    private void writeFstab(NewRoot root, NativeArena arena) {
        byte[] bytes = (String.join("\n", fstab) + "\n").getBytes(StandardCharsets.US_ASCII);
        long address = arena.bytes(bytes);
        int file = raw.openat(root.fd(), arena.string(RoomScript.FSTAB), NEW_FILE, 0600);
        check(-file, "open the fstab");
        try {
            for (int written = 0; written < bytes.length; ) {
                long result = raw.write(file, address + written, bytes.length - (long) written);
                written += LinuxSyscalls.check((int) result, "write", "fstab");
            }
        } finally {
            raw.close(file);
        }
    }

    private static void check(int errno, String what) {
        if (errno > 0) {
            throw new SandboxUnavailableException("mountns", what + ": " + Errno.describe(errno) + "; nothing ran", "");
        }
    }
}
