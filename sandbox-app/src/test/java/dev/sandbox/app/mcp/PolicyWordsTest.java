package dev.sandbox.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.app.service.Confines;
import dev.sandbox.app.service.ExtraEnvironment;
import dev.sandbox.app.service.ServicePolicy;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.Toolchains;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PolicyWordsTest {
    private static final AbsolutePath BASE = AbsolutePath.of("/srv/work");

    private static String words(SandboxPolicy.Builder policy) {
        return PolicyWords.of(new ServicePolicy(
                policy.baseDir(BASE).build(),
                Confines.of(List.of(BASE), List.of(BASE)),
                new ExtraEnvironment(ExtraEnvironment.USUAL),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30)));
    }

    @Test
    void itNamesEveryGrantAndBlock() {
        assertThat(words(SandboxPolicy.builder()
                        .workDir("out")
                        .addReadPaths("in")
                        .addWritePaths("out")
                        .addListPaths("names")
                        .addBlockedPaths("out/secret")
                        .addBlockedWritePaths("out/kept")
                        .toolchains(Toolchains.PATH)
                        .network(NetworkPolicy.none())))
                .contains(
                        "- relative paths start at /srv/work, commands in /srv/work/out\n",
                        "- may read and execute: the system's programs and libraries, the user's tools on PATH, in, out\n",
                        "- may write: out, ",
                        "- may list names only: names\n",
                        "- must not read or write: out/secret\n",
                        "- must not write: out/kept\n",
                        "- network: off\n",
                        "- timeout: 30 s, or what the call names, at most 30 s\n");
    }

    @Test
    void aLongListIsCutAndAPathIsOneLine() {
        SandboxPolicy.Builder policy = SandboxPolicy.builder().addReadPaths("a\n- may write: /etc");
        IntStream.range(0, 40).forEach(index -> policy.addListPaths("folder" + index));
        assertThat(words(policy)).contains("folder29 and 10 more\n").doesNotContain("\n- may write: /etc", "folder30");
    }
}
