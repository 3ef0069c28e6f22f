package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Tty;
import java.util.Optional;

/**
 * A pseudo-terminal for one step: its side, which becomes the step's controlling terminal, and ours.
 *
 * @param ours where the step's output comes from and its input goes
 * @param theirs what the step has as its standard streams
 * @see <a href="https://man7.org/linux/man-pages/man7/pty.7.html">pty(7)</a>
 */
public record Terminal(FileDescriptor ours, FileDescriptor theirs) implements AutoCloseable {
    /** The one that a step wants, if it wants one. */
    public static Optional<Terminal> of(StepRequest step, LinuxSyscalls syscalls) {
        return step.stdin() == Stdio.TERMINAL ? Optional.of(open(syscalls, step.window())) : Optional.empty();
    }

    private static Terminal open(LinuxSyscalls syscalls, WindowSize size) {
        FileDescriptor ours = syscalls.open("/dev/ptmx", Fcntl.O_RDWR | Fcntl.O_NOCTTY);
        try (NativeArena arena = new NativeArena()) {
            // An int of zero unlocks.
            LinuxSyscalls.check(
                    syscalls.raw().ioctl(ours.number(), Tty.TIOCSPTLCK, arena.allocate(Integer.BYTES)),
                    "ioctl",
                    "TIOCSPTLCK");
            resize(syscalls.raw(), ours, size);
            return new Terminal(ours, syscalls.otherSide(ours));
        } catch (RuntimeException | Error e) {
            ours.close();
            throw e;
        }
    }

    /** Sets its size, and sends SIGWINCH to its foreground process group if it is another. Does nothing when our side was closed. */
    void resize(RawSyscalls syscalls, WindowSize size) {
        resize(syscalls, ours, size);
    }

    private static void resize(RawSyscalls syscalls, FileDescriptor ours, WindowSize size) {
        try (NativeArena arena = new NativeArena()) {
            long winsize = winsize(arena, size);
            ours.whileOpen(number ->
                    LinuxSyscalls.check(syscalls.ioctl(number, Tty.TIOCSWINSZ, winsize), "ioctl", "TIOCSWINSZ"));
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
