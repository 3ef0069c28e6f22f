package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.uapi.Fcntl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class TreeRemovalIT {
    private static final int DEPTH = 60_000;
    private static final LinuxSyscalls SYSCALLS = LinuxSyscalls.host();

    @TempDir
    private Path folder;

    private void remove(Path tree) throws IOException {
        String real = folder.toRealPath().toString();
        new NativeHostFiles(SYSCALLS)
                .removeTree(
                        AbsolutePath.of(real).resolve(folder.relativize(tree).toString()));
    }

    /** Deeper than a path is long, than there are descriptors, and than a thread's stack. */
    @Test
    void aTreeOfSixtyThousandFoldersGoes() throws IOException {
        Path tree = Files.createDirectory(folder.resolve("tree"));
        FileDescriptor at = SYSCALLS.open(tree.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY);
        for (int i = 0; i < DEPTH; i++) {
            try (FileDescriptor outer = at) {
                SYSCALLS.mkdirat(outer, "d", 0700);
                at = SYSCALLS.openat(outer, "d", Fcntl.O_PATH | Fcntl.O_DIRECTORY, 0);
            }
        }
        at.close();

        remove(tree);

        assertThat(tree).doesNotExist();
    }

    @Test
    void linksAreRemovedAndNotFollowedAndNamesAreBytes() throws IOException, InterruptedException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Path kept = Files.writeString(outside.resolve("kept"), "kept");
        Path tree = Files.createDirectories(folder.resolve("tree/a/b"));
        Files.createSymbolicLink(tree.resolve("link"), outside);
        for (int i = 0; i < 3000; i++) {
            Files.createFile(tree.resolve("a long name to fill more than one listing " + i));
        }
        Files.createDirectories(tree.resolve("c/d"));
        Process odd = new ProcessBuilder("/bin/sh", "-c", "mkdir \"$(printf 'x\\377\\n')\" && mkfifo pipe")
                .directory(tree.toFile())
                .start();
        assertThat(odd.waitFor()).isZero();

        remove(folder.resolve("tree"));

        assertThat(folder.resolve("tree")).doesNotExist();
        assertThat(kept).hasContent("kept");
    }

    @Test
    void whatItsOwnerMayNotEnterGoesTooAndWhatIsMissingIsNoError() throws IOException {
        Path tree = Files.createDirectories(folder.resolve("tree/a/b"));
        Files.writeString(tree.resolve("f"), "text", StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(tree, PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(folder.resolve("tree"), PosixFilePermissions.fromString("r-xr-xr-x"));

        remove(folder.resolve("tree"));
        remove(folder.resolve("tree"));

        assertThat(folder.resolve("tree")).doesNotExist();
    }

    @Test
    void aLinkInThePlaceOfTheTreeIsRemovedItself() throws IOException {
        Path outside = Files.createDirectories(folder.resolve("outside/x"));
        Path link = Files.createSymbolicLink(folder.resolve("tree"), folder.resolve("outside"));

        remove(link);

        assertThat(link).doesNotExist();
        assertThat(outside).exists();
    }
}
