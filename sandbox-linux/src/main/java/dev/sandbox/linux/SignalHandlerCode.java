package dev.sandbox.linux;

import com.kenai.jffi.PageManager;
import dev.sandbox.linux.uapi.Architecture;
import java.util.HexFormat;

/**
 * The handler of a signal that is handed on, in machine code: no Java may run in a signal handler. Its sources are in
 * {@code src/main/asm}; a test assembles them anew and compares.
 */
final class SignalHandlerCode {
    private static final String X86_64 = """
            57b8010000008b3d1c0000004889e6ba010000000f055fc30f1f840000000000b80f0000000f05f40000000000000000\
            """;
    private static final String AARCH64 = """
            e00f1ff8080880d2c0000018e1030091220080d2010000d4ff430091c0035fd60000000000000000\
            """;

    private static final int RESTORER_ON_X86_64 = 32;

    private SignalHandlerCode() {}

    static byte[] of(Architecture architecture) {
        return HexFormat.of()
                .parseHex(
                        switch (architecture) {
                            case X86_64 -> X86_64;
                            case AARCH64 -> AARCH64;
                        });
    }

    /** Loads it for good: a handler may be called as long as the process lives. Its address. */
    static long load(Architecture architecture, int descriptor) {
        byte[] code = of(architecture);
        PageManager pages = PageManager.getInstance();
        long address = pages.allocatePages(1, PageManager.PROT_READ | PageManager.PROT_WRITE);
        NativeRuntime.MEMORY.putByteArray(address, code, 0, code.length);
        NativeRuntime.MEMORY.putLong(address + code.length - Long.BYTES, descriptor);
        pages.protectPages(address, 1, PageManager.PROT_READ | PageManager.PROT_EXEC);
        return address;
    }

    /** Where the kernel returns from a handler by; 0: it knows that itself. */
    static long restorer(Architecture architecture, long loaded) {
        return switch (architecture) {
            case X86_64 -> loaded + RESTORER_ON_X86_64;
            case AARCH64 -> 0;
        };
    }
}
