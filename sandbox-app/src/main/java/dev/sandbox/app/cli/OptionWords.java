package dev.sandbox.app.cli;

import java.util.function.Function;

/** What is written behind an option. */
final class OptionWords {
    private OptionWords() {}

    /**
     * Reads it.
     *
     * @throws UsageException naming the option, when the reader throws {@link IllegalArgumentException}
     */
    static <T> T read(String option, String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + ": " + e.getMessage());
        }
    }
}
