package dev.sandbox.domain.isolation;

/**
 * The size of a terminal.
 *
 * @param rows lines, up to 65535
 * @param columns characters in a line, up to 65535
 */
public record WindowSize(int rows, int columns) {
    /** What terminals have had since the VT100. */
    public static final WindowSize USUAL = new WindowSize(24, 80);

    private static final int MOST = 0xffff;

    public WindowSize {
        if (rows < 0 || rows > MOST || columns < 0 || columns > MOST) {
            throw new IllegalArgumentException(rows + "x" + columns + " is not the size of a terminal");
        }
    }
}
