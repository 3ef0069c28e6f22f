package dev.sandbox.linux;

/**
 * The JVM's descriptors that become a child's 0, 1 and 2.
 *
 * @param stdin becomes 0
 * @param stdout becomes 1
 * @param stderr becomes 2
 */
public record StandardStreams(int stdin, int stdout, int stderr) {
    int source(int child) {
        return switch (child) {
            case 0 -> stdin;
            case 1 -> stdout;
            default -> stderr;
        };
    }
}
