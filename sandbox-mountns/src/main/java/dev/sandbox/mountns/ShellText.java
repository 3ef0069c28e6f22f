package dev.sandbox.mountns;

import java.util.Collection;
import java.util.stream.Collectors;

/** Quotes for a POSIX shell. */
final class ShellText {
    private ShellText() {}

    /** One word, whatever is in it. */
    static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /** Each text as a word of its own. */
    static String quoteAll(Collection<String> texts) {
        return texts.stream().map(ShellText::quote).collect(Collectors.joining(" "));
    }
}
