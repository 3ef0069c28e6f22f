package dev.sandbox.linux;

import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Tty;

/**
 * A pseudo-terminal for one step: its side, which becomes the step's controlling terminal, and ours.
 *
 * @param ours where the step's output comes from and its input goes
 * @param theirs what the step has as its standard streams
 * @see <a href="https://man7.org/linux/man-pages/man7/pty.7.html">pty(7)</a>
 */
public record Terminal(FileDescriptor ours, FileDescriptor theirs) implements AutoCloseable {
    /** Makes one of this size. */
    public static Terminal open(LinuxSyscalls syscalls, WindowSize size) {
        FileDescriptor ours = syscalls.open("/dev/ptmx", Fcntl.O_RDWR | Fcntl.O_NOCTTY);
        try (NativeArena arena = new NativeArena()) {
            // An int of zero unlocks.
            LinuxSyscalls.check(
                    syscalls.raw().ioctl(ours.number(), Tty.TIOCSPTLCK, arena.allocate(Integer.BYTES)),
                    "ioctl",
                    "TIOCSPTLCK");
            LinuxSyscalls.check(
                    syscalls.raw().ioctl(ours.number(), Tty.TIOCSWINSZ, winsize(arena, size)), "ioctl", "TIOCSWINSZ");
            return new Terminal(ours, syscalls.otherSide(ours));
        } catch (RuntimeException | Error e) {
            ours.close();
            throw e;
        }
    }

    private static long winsize(NativeArena arena, WindowSize size) {
        long address = arena.allocate(Tty.WINSIZE_SIZE);
        NativeRuntime.MEMORY.putShort(address, (short) size.rows());
        NativeRuntime.MEMORY.putShort(address + Tty.WS_COL, (short) size.columns());
        return address;
    }

    @Override
    public void close() {
        theirs.close();
        ours.close();
    }
}
