package dev.sandbox.linux.uapi;

/**
 * Requests of ioctl_tty(2).
 *
 * <p>Source: include/uapi/asm-generic/ioctls.h, termios.h and termbits.h (the same on x86-64 and arm64).
 */
public final class Tty {
    public static final long TCGETS = 0x5401;
    public static final long TCSETS = 0x5402;
    public static final long TIOCSCTTY = 0x540E;
    public static final long TIOCSTI = 0x5412;
    public static final long TIOCGWINSZ = 0x5413;
    public static final long TIOCSWINSZ = 0x5414;
    /** How many bytes can be read; of a pipe, too. */
    public static final long FIONREAD = 0x541B;

    public static final long TIOCLINUX = 0x541C;
    public static final long TIOCSPTLCK = 0x40045431;
    /** Linux 4.13. */
    public static final long TIOCGPTPEER = 0x5441;

    /** {@code struct winsize}: rows, columns and two more, each 16 bits. */
    public static final int WINSIZE_SIZE = 8;

    public static final int WS_COL = 2;

    /** The kernel's {@code struct termios}: four words of flags, the line discipline, and 19 control characters. */
    public static final int TERMIOS_SIZE = 36;

    public static final int C_IFLAG = 0;
    public static final int C_OFLAG = 4;
    public static final int C_LFLAG = 12;
    public static final int C_CC = 17;
    public static final int VTIME = 5;
    public static final int VMIN = 6;

    public static final int IGNBRK = 01;
    public static final int BRKINT = 02;
    public static final int PARMRK = 010;
    public static final int ISTRIP = 040;
    public static final int INLCR = 0100;
    public static final int IGNCR = 0200;
    public static final int ICRNL = 0400;
    public static final int IXON = 02000;
    public static final int OPOST = 01;
    public static final int ISIG = 01;
    public static final int ICANON = 02;
    public static final int ECHO = 010;
    public static final int ECHONL = 0100;
    public static final int IEXTEN = 0100000;

    /** Control-D, which a terminal in its usual mode takes for the end of input. */
    public static final byte EOT = 4;

    private Tty() {}
}
