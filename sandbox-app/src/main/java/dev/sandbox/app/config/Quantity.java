package dev.sandbox.app.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as people write them: {@code 30s}, {@code 10MiB}. */
public final class Quantity {
    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]+)\\s*([A-Za-z]*)");
    private static final Map<String, Long> MILLIS =
            Map.of("", 1000L, "ms", 1L, "s", 1000L, "m", 60_000L, "min", 60_000L, "h", 3_600_000L);
    private static final Map<String, Long> BYTES = Map.of(
            "",
            1L,
            "b",
            1L,
            "k",
            1L << 10,
            "kib",
            1L << 10,
            "m",
            1L << 20,
            "mib",
            1L << 20,
            "g",
            1L << 30,
            "gib",
            1L << 30,
            "kb",
            1000L,
            "mb",
            1_000_000L);

    private static final long LEAST_MEMORY = 1_000_000;

    private Quantity() {}

    /**
     * A positive duration: a number with {@code ms}, {@code s}, {@code m} or {@code h}; seconds without a unit.
     *
     * @throws IllegalArgumentException for people
     */
    public static Duration duration(String text) {
        long millis = parse(text, MILLIS, "a duration such as 30s, 5m or 500ms");
        if (millis == 0) {
            throw new IllegalArgumentException("\"" + text + "\" is no time at all; leave it out for no bound");
        }
        return Duration.ofMillis(millis);
    }

    /**
     * A size in bytes: a number with {@code KiB}, {@code MiB} or {@code GiB}; bytes without a unit.
     *
     * @throws IllegalArgumentException for people
     */
    public static long bytes(String text) {
        return parse(text, BYTES, "a size such as 512MiB or 1GiB");
    }

    /**
     * As {@link #bytes}, for memory: a number without a unit that no program could run in was meant with one.
     *
     * @throws IllegalArgumentException for people
     */
    public static long memory(String text) {
        long bytes = bytes(text);
        if (bytes < LEAST_MEMORY && text.strip().chars().allMatch(Character::isDigit)) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is " + bytes + " bytes, in which nothing runs; write a unit, such as 512MiB");
        }
        return bytes;
    }

    private static long parse(String text, Map<String, Long> units, String wanted) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.trim());
        Long unit = matcher.matches() ? units.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not " + wanted);
        }
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            throw new IllegalArgumentException("\"" + text + "\" is too large", tooLarge);
        }
    }
}
