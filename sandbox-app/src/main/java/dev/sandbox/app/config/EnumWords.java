package dev.sandbox.app.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The words that policies and options have for an enum: its constants in lower case. */
public final class EnumWords {
    private EnumWords() {}

    /** The constant of a word. */
    static <E extends Enum<E>> Optional<E> find(Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> word(constant).equals(word))
                .findFirst();
    }

    /**
     * The constant of a word.
     *
     * @throws IllegalArgumentException for people
     */
    public static <E extends Enum<E>> E parse(Class<E> type, String word) {
        return find(type, word)
                .orElseThrow(() -> new IllegalArgumentException("\"" + word + "\" is not one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(EnumWords::word)
                                .collect(Collectors.joining(", "))));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
