package dev.sandbox.app.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An option's words, as policies have them too: an enum's constants in lower case. */
record Words<E extends Enum<E>>(Class<E> type) implements ITypeConverter<E> {
    @Override
    public E convert(String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> word(constant).equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("\"" + text + "\" is not one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(Words::word)
                                .collect(Collectors.joining(", "))));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
