package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Names and paths. Paths below one root have few names, so that they meet and contain each other often. */
public final class PathArbitraries {
    private PathArbitraries() {}

    /** Names a file may have on Linux: anything but a slash, NUL, {@code .} and {@code ..}; see {@link HostileNames} for worse. */
    public static Arbitrary<String> names() {
        Arbitrary<String> any = Arbitraries.strings()
                .ofMinLength(1)
                .ofMaxLength(6)
                .filter(text -> text.indexOf('/') < 0 && text.indexOf('\0') < 0 && isUnicode(text));
        return Arbitraries.oneOf(fewNames(), any).filter(name -> !name.equals(".") && !name.equals(".."));
    }

    /** Half a surrogate pair is no character, and no encoding of a name can hold one. */
    private static boolean isUnicode(String text) {
        return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
    }

    /** So few that paths collide; {@code ab} has {@code a} as a prefix. */
    public static Arbitrary<String> fewNames() {
        return Arbitraries.of("a", "b", "ab", "a b");
    }

    /** Any normalized absolute path of up to five components. */
    public static Arbitrary<AbsolutePath> paths() {
        return names().list().ofMaxSize(5).map(names -> AbsolutePath.of("/" + String.join("/", names)));
    }

    /** Paths of few names, up to three deep below {@code root}, itself included. */
    public static Arbitrary<AbsolutePath> below(AbsolutePath root) {
        return below(root, fewNames());
    }

    /** As {@link #below(AbsolutePath)}, for the root of this text. */
    public static Arbitrary<AbsolutePath> below(String root) {
        return below(AbsolutePath.of(root));
    }

    /** Paths of these names, up to three deep below {@code root}, itself included. */
    public static Arbitrary<AbsolutePath> below(AbsolutePath root, Arbitrary<String> names) {
        Arbitrary<Integer> depth = Arbitraries.integers().between(0, 3);
        // no list: jqwik 1.9 moves elements between lists of two parameters while it shrinks, whatever their type
        return Combinators.combine(depth, names, names, names)
                .as((length, a, b, c) ->
                        root.resolve(String.join("/", List.of(a, b, c).subList(0, length))));
    }

    /** Paths below either root. */
    public static Arbitrary<AbsolutePath> below(TreeRoots roots) {
        return Arbitraries.oneOf(below(roots.base()), below(roots.outside()));
    }
}
