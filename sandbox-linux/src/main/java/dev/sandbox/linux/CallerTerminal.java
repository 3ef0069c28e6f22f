package dev.sandbox.linux;

import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.linux.uapi.Signals;
import dev.sandbox.linux.uapi.Tty;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The terminal that this JVM has as its standard input. In raw mode it hands every key on: the step's own terminal does what keys do.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/termios.3.html">termios(3), cfmakeraw</a>
 */
public final class CallerTerminal {
    private static final int STDIN = 0;
    private static final int NOT_IN_RAW =
            Tty.IGNBRK | Tty.BRKINT | Tty.PARMRK | Tty.ISTRIP | Tty.INLCR | Tty.IGNCR | Tty.ICRNL | Tty.IXON;
    private static final int NOT_LOCAL = Tty.ECHO | Tty.ECHONL | Tty.ICANON | Tty.ISIG | Tty.IEXTEN;

    private final RawSyscalls syscalls = RawSyscalls.host();
    // Never freed: it is restored at the very end.
    private final long before = new NativeArena().allocate(Tty.TERMIOS_SIZE);

    private CallerTerminal() {}

    /** Absent when standard input is no terminal. */
    public static Optional<CallerTerminal> find() {
        CallerTerminal terminal = new CallerTerminal();
        boolean is = terminal.syscalls.ioctl(STDIN, Tty.TCGETS, terminal.before) == 0;
        return is ? Optional.of(terminal) : Optional.empty();
    }

    /** Its size now. */
    public WindowSize size() {
        try (NativeArena arena = new NativeArena()) {
            long size = arena.allocate(Tty.WINSIZE_SIZE);
            LinuxSyscalls.check(syscalls.ioctl(STDIN, Tty.TIOCGWINSZ, size), "ioctl", "TIOCGWINSZ");
            return new WindowSize(
                    NativeRuntime.MEMORY.getShort(size) & 0xffff,
                    NativeRuntime.MEMORY.getShort(size + Tty.WS_COL) & 0xffff);
        }
    }

    /** Tells of its size now, and from a thread of the JVM's whenever it becomes another. */
    public void watchSize(Consumer<WindowSize> listener) {
        SignalRelay.receive(Signals.SIGWINCH, number -> changed(listener));
        listener.accept(size());
    }

    private void changed(Consumer<WindowSize> listener) {
        try {
            listener.accept(size());
        } catch (SyscallException gone) {
            // Neither has a terminal that went away a size, nor a step that ended.
            return;
        }
    }

    /** Until {@link #restore}. */
    public void makeRaw() {
        try (NativeArena arena = new NativeArena()) {
            byte[] copy = new byte[Tty.TERMIOS_SIZE];
            NativeArena.copy(before, copy, 0, copy.length);
            long raw = arena.bytes(copy);
            clear(raw + Tty.C_IFLAG, NOT_IN_RAW);
            clear(raw + Tty.C_OFLAG, Tty.OPOST);
            clear(raw + Tty.C_LFLAG, NOT_LOCAL);
            NativeRuntime.MEMORY.putByte(raw + Tty.C_CC + Tty.VMIN, (byte) 1);
            NativeRuntime.MEMORY.putByte(raw + Tty.C_CC + Tty.VTIME, (byte) 0);
            LinuxSyscalls.check(syscalls.ioctl(STDIN, Tty.TCSETS, raw), "ioctl", "TCSETS");
        }
    }

    private static void clear(long flags, int bits) {
        NativeArena.putInt(flags, NativeArena.getInt(flags) & ~bits);
    }

    /** As it was when it was found. A terminal that went away needs no more. */
    public void restore() {
        syscalls.ioctl(STDIN, Tty.TCSETS, before);
    }
}
