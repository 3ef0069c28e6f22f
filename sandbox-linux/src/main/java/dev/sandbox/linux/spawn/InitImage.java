package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.Architecture;
import java.util.HexFormat;

/**
 * The init of a PID namespace: a static ELF file of some 280 bytes that needs no library and no argument. Its source is src/main/init/;
 * a test assembles that and compares.
 *
 * <p>It ignores SIGCHLD, so that the kernel reaps every orphan and none disturbs it. Then it reads <b>descriptor 0</b> until the end
 * of that pipe, again after EINTR, and exits with 0: the kernel then kills whatever is left in the namespace. It ends so on every other
 * error too, so a descriptor that is missing or does not block ends the namespace at once. It makes the calls of {@link
 * dev.sandbox.linux.seccomp.InitFilter} and no other.
 *
 * <p>What who starts it has to see to: descriptor 0 is the read end of a blocking pipe, whose write end the JVM alone has; no other
 * descriptor is open; SIGCHLD is ignored before execve already, which execve keeps, since an orphan that ends before init's first
 * instruction would stay a zombie; capabilities are dropped before execve, since with them the kernel may read {@link InitFile} and
 * leaves init readable.
 */
public final class InitImage {
    private static final String X86_64 = """
            7f454c4602010100000000000000000002003e0001000000b00040000000000040000000000000000000000000000000
            000000004000380002000000000000000100000005000000000000000000000000004000000000000000400000000000
            10010000000000001001000000000000001000000000000051e574640600000000000000000000000000000000000000
            0000000000000000000000000000000000000000000000001000000000000000b80d000000bf11000000488d352f0000
            0031d241ba080000000f0531c031ff488d7424f8ba010000000f054883f80174ea4883f8fc74e4b83c00000031ff0f05
            0100000000000000000000000000000000000000000000000000000000000000
            """;

    private static final String AARCH64 = """
            7f454c460201010000000000000000000200b70001000000b00040000000000040000000000000000000000000000000
            000000004000380002000000000000000100000005000000000000000000000000004000000000000000400000000000
            20010000000000002001000000000000000001000000000051e574640600000000000000000000000000000000000000
            0000000000000000000000000000000000000000000000001000000000000000c81080d2200280d241020010020080d2
            030180d2010000d4ff4300d1e80780d2000080d2e1030091220080d2010000d41f0400f140ffff541f1000b100ffff54
            a80b80d2000080d2010000d41f2003d50100000000000000000000000000000000000000000000000000000000000000
            """;

    private InitImage() {}

    /** The ELF file for an architecture. */
    public static byte[] of(Architecture architecture) {
        String hex = switch (architecture) {
            case X86_64 -> X86_64;
            case AARCH64 -> AARCH64;
        };
        return HexFormat.of().parseHex(hex.replace("\n", ""));
    }
}
