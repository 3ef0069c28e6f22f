package dev.sandbox.linux;

import java.util.HexFormat;

/**
 * Names that nobody guesses, from the kernel's own generator: {@code SecureRandom} draws from the same, and loads the JDK's whole list
 * of security providers first, at each start.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/getrandom.2.html">getrandom(2)</a>
 */
final class RandomName {
    /** So many bytes come whole, whatever signals do. */
    private static final int MOST = 256;

    private RandomName() {}

    /** So many random bytes in hexadecimal digits. */
    static String of(int bytes) {
        if (bytes < 1 || bytes > MOST) {
            throw new IllegalArgumentException(bytes + " bytes are not between 1 and " + MOST);
        }
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(bytes);
            int given = LinuxSyscalls.check(RawSyscalls.host().getrandom(buffer, bytes, 0), "getrandom", "");
            if (given != bytes) {
                throw new IllegalStateException("getrandom gave " + given + " of " + bytes + " bytes");
            }
            byte[] drawn = new byte[bytes];
            NativeArena.copy(buffer, drawn, 0, bytes);
            return HexFormat.of().formatHex(drawn);
        }
    }
}
