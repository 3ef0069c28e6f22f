package dev.sandbox.app.selftest;

import dev.sandbox.linux.uapi.Architecture;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A program of some 550 bytes that makes system calls and needs nothing beside the kernel, so that it runs in any image. Its source is
 * src/main/probe/; a test assembles that and compares.
 */
final class ProbeProgram {
    private ProbeProgram() {}

    /** The ELF file for an architecture. */
    static byte[] of(Architecture architecture) {
        String name = "probe-" + architecture.name().toLowerCase(Locale.ROOT) + ".hex";
        try (InputStream hex = ProbeProgram.class.getResourceAsStream(name)) {
            if (hex == null) {
                throw new IllegalStateException(name + " is missing from this installation");
            }
            String text = new String(hex.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
