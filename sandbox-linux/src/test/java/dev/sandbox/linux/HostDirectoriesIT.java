package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.HostDirectories.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
    void leaksNoDescriptor() throws IOException {
        directories.create(path(base.resolve("a")));
        long before = count();
        for (int i = 0; i < 50; i++) {
            directories.create(path(base.resolve("a/b" + i)));
            assertThatThrownBy(() -> directories.writeIfMissing(path(base.resolve("no")), "f", new byte[0]))
                    .isInstanceOf(SyscallException.class);
        }
        assertThat(count()).isEqualTo(before);
    }

    private static long count() throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
