package dev.sandbox.testkit;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/**
 * Names that a file may have on Linux and that break what was written without care: a shell's quotes, a line format, a comparison of
 * paths by prefix. None holds a slash or a NUL, none is {@code .} or {@code ..}, and each can be written as UTF-8.
 */
public final class HostileNames {
    private static final int NAME_MAX = 255;

    /** From harmless to worst: a failing property shrinks towards the first. */
    private static final List<String> NAMES = List.of(
            "a",
            "ab",
            "a b",
            "a'b",
            "a\"b",
            "$HOME",
            "$(id)",
            "`id`",
            "a\\b",
            "a;b",
            "#a",
            "~",
            "-rf",
            "--",
            "...",
            "..a",
            " a",
            "a ",
            "a:b",
            "a,b=c",
            "%s",
            "{a}",
            "[a]",
            "a\tb",
            "a\nb",
            "a\rb",
            "\u001b[31m",
            "\u007f",
            "\u00e9",
            "e\u0301",
            "\u202ea",
            "\ud83d\ude00",
            "x".repeat(NAME_MAX));

    private HostileNames() {}

    /** Each of these names as a value, for a test with parameters. */
    public static List<String> list() {
        return NAMES;
    }

    /** One of {@link #list}, or any other text that a name may be. */
    public static Arbitrary<String> names() {
        return Arbitraries.oneOf(Arbitraries.of(NAMES), PathArbitraries.names());
    }

    /** Those that hold no {@code *} and no {@code ?}: in a block such a text is a pattern, not a name. */
    public static Arbitrary<String> withoutPatterns() {
        return names().filter(name -> name.indexOf('*') < 0 && name.indexOf('?') < 0);
    }
}
