package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Paths, and small file trees in which short names meet often. */
public final class PathArbitraries {
    private PathArbitraries() {}

    /** Names a file may have on Linux: anything but a slash, NUL, {@code .} and {@code ..}. */
    public static Arbitrary<String> names() {
        Arbitrary<String> any = Arbitraries.strings()
                .ofMinLength(1)
                .ofMaxLength(6)
                .filter(text -> text.indexOf('/') < 0 && text.indexOf('\0') < 0);
        return Arbitraries.oneOf(fewNames(), any).filter(name -> !name.equals(".") && !name.equals(".."));
    }

    /** So few that paths collide; {@code ab} has {@code a} as a prefix. */
    public static Arbitrary<String> fewNames() {
        return Arbitraries.of("a", "b", "ab", "a b");
    }

    /** Any normalized absolute path of up to five components. */
    public static Arbitrary<AbsolutePath> paths() {
        return names().list().ofMaxSize(5).map(PathArbitraries::path);
    }

    /** Paths of few names that lie below {@code root}, itself included. */
    public static Arbitrary<AbsolutePath> below(String root) {
        Arbitrary<Integer> depth = Arbitraries.integers().between(0, 3);
        // no list: jqwik 1.9 moves elements between lists of two parameters while it shrinks, whatever their type
        return Combinators.combine(depth, fewNames(), fewNames(), fewNames())
                .as((length, a, b, c) -> AbsolutePath.of(
                        root + "/" + String.join("/", List.of(a, b, c).subList(0, length))));
    }

    private static AbsolutePath path(List<String> names) {
        return AbsolutePath.of("/" + String.join("/", names));
    }

    /** The texts of links: relative, absolute, with {@code ..}, looping, dangling. */
    private static Arbitrary<String> targets() {
        Arbitrary<String> relative = Arbitraries.frequencyOf(
                        Tuple.of(3, fewNames()),
                        Tuple.of(2, Arbitraries.just("..")),
                        Tuple.of(1, Arbitraries.just(".")))
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(names -> String.join("/", names));
        return Arbitraries.oneOf(
                relative, below("/w").map(AbsolutePath::toString), below("/x").map(AbsolutePath::toString));
    }

    private record Entry(AbsolutePath path, EntryKind kind, String target) {}

    private static Arbitrary<Entry> entries() {
        Arbitrary<AbsolutePath> paths = Arbitraries.oneOf(below("/w"), below("/w"), below("/x"));
        Arbitrary<EntryKind> kinds = Arbitraries.of(
                EntryKind.DIRECTORY,
                EntryKind.DIRECTORY,
                EntryKind.FILE,
                EntryKind.SYMLINK,
                EntryKind.SYMLINK,
                EntryKind.SOCKET,
                EntryKind.DENIED);
        return Combinators.combine(paths, kinds, targets()).as(Entry::new);
    }

    /** Trees below /w and /x, both of which exist. */
    public static Arbitrary<FakeFileSystem> trees() {
        return entries().list().ofMaxSize(14).map(PathArbitraries::tree);
    }

    private static FakeFileSystem tree(List<Entry> entries) {
        FakeFileSystem files = new FakeFileSystem().directory("/w").directory("/x");
        for (Entry entry : entries) {
            String path = entry.path().toString();
            if (!files.hasRoomFor(entry.path())) {
                continue;
            }
            switch (entry.kind()) {
                case DIRECTORY -> files.directory(path);
                case FILE -> files.file(path);
                case SYMLINK -> files.symlink(path, entry.target());
                case SOCKET -> files.socket(path);
                case DENIED -> files.denied(path);
                case FIFO, DEVICE, MISSING -> throw new AssertionError(entry.kind());
            }
        }
        return files;
    }
}
