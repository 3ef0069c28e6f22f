package dev.sandbox.app.cli;

import java.util.Map;

/**
 * How a change of policy is told to somebody who typed options. A user of files reads keys: {@code read_paths: [/x]}; one who wrote
 * {@code --read} before reads {@code --read /x}.
 */
final class OptionFix {
    private static final Map<String, String> OPTIONS = Map.of(
            "read_paths", "--read",
            "write_paths", "--write",
            "list_paths", "--list",
            "extra_system_paths", "--system-path",
            "host_devices", "--host-device");

    private OptionFix() {}

    /** A single grant as an option; anything else as it is. */
    static String of(String fix) {
        int colon = fix.indexOf(": [");
        String option = colon < 0 ? null : OPTIONS.get(fix.substring(0, colon));
        if (option == null || !fix.endsWith("]") || fix.contains(", ")) {
            return fix;
        }
        return option + " " + word(fix.substring(colon + 3, fix.length() - 1));
    }

    /** A word of a shell's. */
    private static String word(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (!Character.isLetterOrDigit(c) && "/._-+:@%".indexOf(c) < 0) {
                return "'" + path.replace("'", "'\\''") + "'";
            }
        }
        return path;
    }
}
