package dev.sandbox.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.Errno;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.RawSyscalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever step of the enforcement fails, the error says which, and nothing runs. */
final class FaultInjectionIT {
    @TempDir
    private Path folder;

    /** Fails from the given number of calls on, so that the preflight may pass first. */
    private static final class Faulty extends RawSyscalls {
        private final String failing;
        private final int errno;
        private int passes;

        Faulty(String failing, int errno, int passes) {
            this.failing = failing;
            this.errno = errno;
            this.passes = passes;
        }

        private boolean fails(String call) {
            return call.equals(failing) && passes-- <= 0;
        }

        @Override
        public int landlockCreateRuleset(long attributes, long size, int flags) {
            String call = flags == 0 ? "create" : "query";
            return fails(call) ? -errno : super.landlockCreateRuleset(attributes, size, flags);
        }

        @Override
        public int landlockAddRule(int ruleset, int type, long attributes, int flags) {
            return fails("add") ? -errno : super.landlockAddRule(ruleset, type, attributes, flags);
        }

        @Override
        public int landlockRestrictSelf(int ruleset, int flags) {
            return fails("restrict") ? -errno : super.landlockRestrictSelf(ruleset, flags);
        }
    }

    private void refuses(Faulty faulty, String words) {
        Fixture fixture = new Fixture(folder, new LinuxSyscalls(faulty), List.of(), Map.of());
        assertThatThrownBy(() -> fixture.sandbox()
                        .run(fixture.policy(policy -> policy.addWritePaths("out")), Command.shell("touch out/ran")))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining(words);
        assertThat(folder.resolve("out/ran")).doesNotExist();
    }

    @Test
    void aKernelWithoutLandlockIsRefused() {
        refuses(new Faulty("query", 38, 0), "this kernel has no Landlock");
    }

    @Test
    void aFailingRulesetIsRefused() {
        refuses(new Faulty("create", Errno.ENOMEM.number(), 0), "landlock_create_ruleset");
        refuses(new Faulty("create", Errno.ENOMEM.number(), 1), "landlock_create_ruleset");
    }

    @Test
    void aFailingRuleIsRefusedWhicheverItIs() {
        refuses(new Faulty("add", Errno.EINVAL.number(), 0), "landlock_add_rule");
        refuses(new Faulty("add", Errno.EINVAL.number(), 5), "landlock_add_rule");
    }

    @Test
    void aFailingRestrictionIsRefused() {
        refuses(new Faulty("restrict", Errno.E2BIG.number(), 0), "landlock_restrict_self");
        refuses(new Faulty("restrict", Errno.E2BIG.number(), 1), "landlock_restrict_self");
    }

    @Test
    void withoutAFaultTheSameRuns() {
        Fixture fixture = new Fixture(folder, new LinuxSyscalls(new Faulty("none", 0, 0)), List.of(), Map.of());

        fixture.run("touch out/ran", policy -> policy.addWritePaths("out"));

        assertThat(Files.exists(folder.resolve("out/ran"))).isTrue();
    }
}
