package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class EffectiveBlocksTest {
    private final FakeFileSystem files =
            FakeFileSystem.linux().directory("/w/out").directory("/data").file("/w/src/a");

    private boolean effective(UnaryOperator<SandboxPolicy.Builder> change) {
        SandboxPolicy policy = change.apply(SandboxPolicy.builder().baseDir(AbsolutePath.of("/w")))
                .build();
        return PolicyResolver.resolve(policy, Host.standard(files))
                .effectiveBlocks()
                .findAny()
                .isPresent();
    }

    @Test
    void aBlockInsideAGrantTakesSomething() {
        assertThat(effective(b -> b.addReadPaths(".").addBlockedPaths("src"))).isTrue();
        assertThat(effective(b -> b.addWritePaths(".").addBlockedWritePaths("not-yet")))
                .isTrue();
    }

    @Test
    void aBlockOutsideEveryGrantTakesNothing() {
        assertThat(effective(b -> b.addReadPaths("src").addBlockedPaths("out", "/data")))
                .isFalse();
    }

    @Test
    void aBlockedWritePathInsideAReadGrantTakesNothing() {
        assertThat(effective(b -> b.addReadPaths(".").addBlockedWritePaths("src")))
                .isFalse();
    }

    @Test
    void aBlockInsideTheBaselineTakesSomething() {
        assertThat(effective(b -> b.addBlockedPaths("/etc/passwd"))).isTrue();
        assertThat(effective(b -> b.addBlockedWritePaths("/etc/passwd"))).isFalse();
    }

    @Test
    void aBlockAroundABaselineEntryTakesSomething() {
        assertThat(effective(b -> b.addBlockedPaths("/run"))).isTrue();
    }

    @Test
    void blockingWritesToADeviceOfTheBaselineTakesSomething() {
        assertThat(effective(b -> b.addBlockedWritePaths("/dev/null"))).isTrue();
        assertThat(effective(b -> b.addBlockedWritePaths("/dev"))).isTrue();
    }
}
