package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Small file trees below two roots, both of which exist: files, folders, sockets, closed folders, and links of every kind. */
public final class TreeArbitraries {
    private TreeArbitraries() {}

    /** The texts of links: relative, absolute, with {@code ..}, looping, dangling. */
    public static Arbitrary<String> linkTexts(TreeRoots roots) {
        Arbitrary<String> relative = Arbitraries.frequencyOf(
                        Tuple.of(3, PathArbitraries.fewNames()),
                        Tuple.of(2, Arbitraries.just("..")),
                        Tuple.of(1, Arbitraries.just(".")))
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(names -> String.join("/", names));
        return Arbitraries.oneOf(
                relative,
                PathArbitraries.below(roots.base()).map(AbsolutePath::toString),
                PathArbitraries.below(roots.outside()).map(AbsolutePath::toString));
    }

    private record Entry(AbsolutePath path, EntryKind kind, String target) {}

    private static Arbitrary<Entry> entries(TreeRoots roots) {
        Arbitrary<AbsolutePath> inside = PathArbitraries.below(roots.base());
        Arbitrary<AbsolutePath> paths = Arbitraries.oneOf(inside, inside, PathArbitraries.below(roots.outside()));
        Arbitrary<EntryKind> kinds = Arbitraries.of(
                EntryKind.DIRECTORY,
                EntryKind.DIRECTORY,
                EntryKind.FILE,
                EntryKind.SYMLINK,
                EntryKind.SYMLINK,
                EntryKind.SOCKET,
                EntryKind.DENIED);
        return Combinators.combine(paths, kinds, linkTexts(roots)).as(Entry::new);
    }

    /** Trees of up to 14 entries; shrinks towards fewer of them, nearer to the root. */
    public static Arbitrary<FakeFileSystem> trees(TreeRoots roots) {
        return entries(roots).list().ofMaxSize(14).map(entries -> tree(roots, entries));
    }

    private static FakeFileSystem tree(TreeRoots roots, List<Entry> entries) {
        FakeFileSystem files = new FakeFileSystem()
                .directory(roots.base().toString())
                .directory(roots.outside().toString());
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
