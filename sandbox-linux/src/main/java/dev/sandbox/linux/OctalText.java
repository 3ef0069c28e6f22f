package dev.sandbox.linux;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Fields as fstab(5) and proc_pid_mountinfo(5) have them: what could end one is a backslash and three octal digits. */
public final class OctalText {
    private OctalText() {}

    /** One field, without blanks and line ends. */
    public static String escape(String field) {
        StringBuilder escaped = new StringBuilder(field.length() + 16);
        for (byte b : field.getBytes(StandardCharsets.UTF_8)) {
            int value = b & 0xff;
            if (value < 0x80 && (Character.isLetterOrDigit(value) || "/._-+".indexOf(value) >= 0)) {
                escaped.append((char) value);
            } else {
                escaped.append('\\')
                        .append((char) ('0' + (value >> 6)))
                        .append((char) ('0' + (value >> 3 & 7)))
                        .append((char) ('0' + (value & 7)));
            }
        }
        return escaped.toString();
    }

    /** What such a field says. */
    public static String unescape(String field) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] raw = field.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] == '\\' && i + 3 < raw.length) {
                bytes.write((raw[i + 1] - '0') << 6 | (raw[i + 2] - '0') << 3 | (raw[i + 3] - '0'));
                i += 3;
            } else {
                bytes.write(raw[i]);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
