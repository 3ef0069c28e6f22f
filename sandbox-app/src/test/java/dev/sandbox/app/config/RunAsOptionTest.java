package dev.sandbox.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.policy.RunAs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunAsOptionTest {
    @TempDir
    private Path folder;

    private Accounts accounts;

    @BeforeEach
    void makeAccounts() throws IOException {
        Path users = Files.write(
                folder.resolve("passwd"),
                "root:x:0:0:r\u00f6\u00f6t:/root:/bin/sh\nbuild:x:1005:1006::/:\nodd:x:-1:x::/:\n"
                        .getBytes(StandardCharsets.ISO_8859_1));
        accounts = new Accounts(users, Files.writeString(folder.resolve("group"), "users:x:100:\n"));
    }

    private static RunAs identity(long uid, long gid) {
        return new RunAs(OptionalLong.of(uid), OptionalLong.of(gid));
    }

    @Test
    void namesAndNumbersMayBeMixed() {
        assertThat(RunAsOption.parse("build", accounts)).isEqualTo(identity(1005, 1006));
        assertThat(RunAsOption.parse("build:users", accounts)).isEqualTo(identity(1005, 100));
        assertThat(RunAsOption.parse("build:7", accounts)).isEqualTo(identity(1005, 7));
        assertThat(RunAsOption.parse("7:users", accounts)).isEqualTo(identity(7, 100));
        assertThat(RunAsOption.parse("7", accounts)).isEqualTo(new RunAs(OptionalLong.of(7), OptionalLong.empty()));
    }

    @Test
    void aNameThatIsNotThereIsRefused() {
        for (String text : new String[] {"nobody2", "build:nogroup", "odd", "", ":", "build:", ":users", "007", "-1"}) {
            assertThatThrownBy(() -> RunAsOption.parse(text, accounts))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
