package dev.sandbox.domain.environment;

import java.util.ArrayList;
import java.util.List;

/**
 * Settings files as far as pip, npm, git and Cargo have them in common: sections in brackets, {@code key = value}, comments from
 * {@code #} or {@code ;} at the start of a line, values in quotes or not. What is more than that (arrays, tables on one line) is not
 * understood, and so not carried over.
 */
final class SettingsText {
    /**
     * One setting.
     *
     * @param section without brackets; empty before the first
     * @param key as written
     * @param value without quotes; continued lines are joined by blanks
     */
    record Entry(String section, String key, String value) {}

    private SettingsText() {}

    static List<Entry> parse(String text) {
        List<Entry> entries = new ArrayList<>();
        String section = "";
        for (String raw : text.split("\n", -1)) {
            String line = raw.strip();
            int equals = line.indexOf('=');
            if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
                continue;
            }
            if (line.startsWith("[") && line.indexOf(']') > 0) {
                section = line.substring(1, line.indexOf(']')).strip();
            } else if (equals > 0) {
                entries.add(new Entry(
                        section,
                        line.substring(0, equals).strip(),
                        value(line.substring(equals + 1).strip())));
            } else if (Character.isWhitespace(raw.charAt(0)) && !entries.isEmpty()) {
                Entry last = entries.remove(entries.size() - 1);
                entries.add(new Entry(last.section(), last.key(), (last.value() + " " + line).strip()));
            }
        }
        return entries;
    }

    private static String value(String written) {
        if (written.length() > 1 && (written.charAt(0) == '"' || written.charAt(0) == '\'')) {
            int end = written.indexOf(written.charAt(0), 1);
            return end < 0 ? written : written.substring(1, end);
        }
        int comment = written.indexOf(" #");
        return comment < 0 ? written : written.substring(0, comment).strip();
    }
}
