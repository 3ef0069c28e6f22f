package dev.sandbox.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ApiTokenTest {
    private static final String FIRST = "0123456789abcdef0123";
    private static final String SECOND = "another-token-of-good-length";

    @TempDir
    private Path folder;

    private Path file(String content, String mode) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    void theTokenOfTheFileAndNoOtherIsAccepted() throws IOException {
        ApiToken token = ApiToken.inFile(file(FIRST + "\n", "rw-------"));
        assertThat(token.matches(FIRST)).isTrue();
        assertThat(token.matches(FIRST + "4")).isFalse();
        assertThat(token.matches("")).isFalse();
    }

    @Test
    void aChangedFileIsFollowedAndAMissingOneLetsNobodyIn() throws IOException {
        Path file = file(FIRST, "rw-------");
        ApiToken token = ApiToken.inFile(file);
        Files.writeString(file, SECOND);
        assertThat(token.matches(FIRST)).isFalse();
        assertThat(token.matches(SECOND)).isTrue();
        Files.delete(file);
        assertThat(token.matches(SECOND)).isFalse();
        file(FIRST, "rw-------");
        assertThat(token.matches(FIRST)).isTrue();
    }

    @Test
    void aFileThatOthersCameToReadLetsNobodyIn() throws IOException {
        Path file = file(FIRST, "rw-------");
        ApiToken token = ApiToken.inFile(file);
        file(FIRST, "rw-r-----");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        assertThat(token.matches(FIRST)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwxrwxrwx"})
    void aFileThatOthersMayReadOrWriteIsRefused(String mode) throws IOException {
        Path file = file(FIRST, mode);
        assertThatThrownBy(() -> ApiToken.inFile(file)).hasMessageContaining("chmod 600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "with a blank in the middle of it", "n\u00f6t-ascii-n\u00f6t-ascii"})
    void aWeakTokenIsRefusedWithoutBeingShown(String weak) throws IOException {
        Path file = file(weak, "rw-------");
        assertThatThrownBy(() -> ApiToken.inFile(file)).hasMessageStartingWith("SANDBOX_UNAVAILABLE: --token-file");
    }

    @Test
    void onlyBearerCredentialsAreTokens() {
        assertThat(ApiToken.shown("Bearer x")).contains("x");
        assertThat(ApiToken.shown("bearer  x ")).contains("x");
        assertThat(ApiToken.shown("Basic x")).isEmpty();
        assertThat(ApiToken.shown("Bearer")).isEmpty();
        assertThat(ApiToken.shown(null)).isEmpty();
    }
}
