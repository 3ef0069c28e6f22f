package dev.sandbox.app;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * A gzipped tar of a few small files.
 *
 * @see <a href="https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html">POSIX, ustar Interchange Format</a>
 */
final class Tarball {
    private static final int BLOCK = 512;
    private static final int CHECKSUM = 148;

    private Tarball() {}

    /** Writes one file for each entry, executable by all. */
    static void write(Path target, Map<String, String> files) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(target))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                byte[] content = file.getValue().getBytes(StandardCharsets.UTF_8);
                out.write(header(file.getKey(), content.length));
                out.write(content);
                out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
            }
            out.write(new byte[2 * BLOCK]);
        }
    }

    private static byte[] header(String name, int size) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(
                header,
                100,
                "0000755\0" + "0000000\0" + "0000000\0" + String.format("%011o", size) + "\0" + "00000000000\0");
        put(header, CHECKSUM, "        0");
        put(header, 257, "ustar\0" + "00");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, CHECKSUM, String.format("%06o", sum) + "\0 ");
        return header;
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }
}
