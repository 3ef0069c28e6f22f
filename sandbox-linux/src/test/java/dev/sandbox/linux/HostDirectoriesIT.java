package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.linux.HostDirectories.Written;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

final class HostDirectoriesIT {
    @TempDir
    Path temporary = Path.of("/");

    private final HostDirectories directories = new HostDirectories(LinuxSyscalls.host());
    private Path base = Path.of("/");

    @BeforeEach
    void resolve() throws IOException {
        base = temporary.toRealPath();
    }

    private static AbsolutePath path(Path path) {
        return AbsolutePath.of(path.toString());
    }

    @Test
    void makesMissingParentsForTheOwnerAloneAndTellsWhich() throws IOException {
        Path deep = base.resolve("a/b");
        assertThat(directories.create(path(deep))).containsExactly(path(base.resolve("a")), path(deep));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(deep)))
                .isEqualTo("rwx------");
        assertThat(directories.create(path(deep))).isEmpty();
    }

    @Test
    void neverFollowsASymbolicLink() throws IOException {
        Path target = Files.createDirectory(base.resolve("target"));
        Files.createSymbolicLink(base.resolve("link"), target);
        assertThatThrownBy(() -> directories.create(path(base.resolve("link/x"))))
                .isInstanceOfSatisfying(
                        UnsafePathException.class, e -> assertThat(e.path()).isEqualTo(path(base.resolve("link"))));
        assertThatThrownBy(() -> directories.create(path(base.resolve("link"))))
                .isInstanceOf(UnsafePathException.class);
        assertThatThrownBy(() -> directories.writeIfMissing(path(base.resolve("link")), "f", new byte[0]))
                .isInstanceOf(UnsafePathException.class);
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void refusesAFileInTheWay() throws IOException {
        Files.createFile(base.resolve("file"));
        assertThatThrownBy(() -> directories.create(path(base.resolve("file/x"))))
                .isInstanceOf(UnsafePathException.class);
    }

    @Test
    void writesOnlyWhatIsMissing() throws IOException {
        assertThat(directories.writeIfMissing(path(base), ".gitignore", new byte[] {'*'}))
                .isEqualTo(Written.CREATED);
        assertThat(directories.writeIfMissing(path(base), ".gitignore", new byte[] {'x'}))
                .isEqualTo(Written.PRESENT);
        assertThat(base.resolve(".gitignore")).hasContent("*");
        Files.createSymbolicLink(base.resolve("dangling"), base.resolve("elsewhere"));
        assertThat(directories.writeIfMissing(path(base), "dangling", new byte[1]))
                .isEqualTo(Written.PRESENT);
        assertThat(base.resolve("elsewhere")).doesNotExist();
    }

    @Test
    void missingDirectoryIsToldWithItsPath() {
        assertThatThrownBy(() -> directories.writeIfMissing(path(base.resolve("no")), "f", new byte[0]))
                .isInstanceOf(SyscallException.class)
                .hasMessageContaining(base.resolve("no").toString());
    }

    @Test
    @EnabledIf(value = "isRoot", disabledReason = "needs root")
    void whatIsMadeForSomebodyElseBelongsToItAndNothingElseDoes() throws IOException {
        Path old = Files.createDirectory(base.resolve("old"));
        HostDirectories theirs = directories.ownedBy(new Identity(61_234, 61_235));

        theirs.create(path(old.resolve("new/deep")));
        theirs.writeIfMissing(path(old.resolve("new")), "f", new byte[1]);
        Files.createFile(old.resolve("kept"));
        theirs.writeIfMissing(path(old), "kept", new byte[1]);

        assertThat(owner(old)).isEqualTo("0:0");
        assertThat(owner(old.resolve("kept"))).isEqualTo("0:0");
        assertThat(owner(old.resolve("new"))).isEqualTo("61234:61235");
        assertThat(owner(old.resolve("new/deep"))).isEqualTo("61234:61235");
        assertThat(owner(old.resolve("new/f"))).isEqualTo("61234:61235");
    }

    /** As a step that still runs would put it there, between the making and the giving. */
    @Test
    @EnabledIf(value = "isRoot", disabledReason = "needs root")
    void anotherFolderThatWasMovedIntoItsPlaceIsNotGivenAway() throws IOException {
        Path secret = Files.createDirectory(base.resolve("secret"));
        Files.createFile(secret.resolve("key"));
        RawSyscalls swapping = new RawSyscalls() {
            @Override
            public int mkdirat(int directory, long name, int mode) {
                int result = super.mkdirat(directory, name, mode);
                try {
                    Files.delete(base.resolve("made"));
                    Files.move(secret, base.resolve("made"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return result;
            }
        };
        HostDirectories theirs = new HostDirectories(new LinuxSyscalls(swapping)).ownedBy(new Identity(61_234, 61_235));

        assertThatThrownBy(() -> theirs.create(path(base.resolve("made")))).isInstanceOf(UnsafePathException.class);
        assertThat(owner(base.resolve("made"))).isEqualTo("0:0");
    }

    static boolean isRoot() {
        return RawSyscalls.host().geteuid() == 0;
    }

    private static String owner(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid") + ":" + Files.getAttribute(path, "unix:gid");
    }

    @Test
    void leaksNoDescriptor() throws IOException {
        directories.create(path(base.resolve("a")));
        long before = count();
        for (int i = 0; i < 50; i++) {
            directories.create(path(base.resolve("a/b" + i)));
            assertThatThrownBy(() -> directories.writeIfMissing(path(base.resolve("no")), "f", new byte[0]))
                    .isInstanceOf(SyscallException.class);
        }
        // Fewer when the collector has closed one of an earlier test.
        assertThat(count()).isLessThanOrEqualTo(before);
    }

    private static long count() throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
