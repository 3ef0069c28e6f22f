package dev.sandbox.landlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.Errno;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.RawSyscalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever step of the enforcement fails, the error says which, and nothing runs. */
final class FaultInjectionIT {
    private static final int PR_SET_NO_NEW_PRIVS = 38;

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

        @Override
        public int prctl(int operation, long a, long b, long c, long d) {
            String call = operation == PR_SET_NO_NEW_PRIVS ? "no_new_privs" : "other";
            return fails(call) ? -errno : super.prctl(operation, a, b, c, d);
        }

        @Override
        public int capset(long header, long data) {
            return fails("capset") ? -errno : super.capset(header, data);
        }

        @Override
        public int setgroups(int count, long groups) {
            return fails("setgroups") ? -errno : super.setgroups(count, groups);
        }

        @Override
        public int setresgid(int real, int effective, int saved) {
            return fails("setresgid") ? -errno : super.setresgid(real, effective, saved);
        }

        @Override
        public int setresuid(int real, int effective, int saved) {
            return fails("setresuid") ? -errno : super.setresuid(real, effective, saved);
        }

        @Override
        public int seccompSetFilter(long program) {
            return fails("seccomp") ? -errno : super.seccompSetFilter(program);
        }
    }

    /** The one of this JVM, which stays. */
    private static boolean isWatchdog(ProcessHandle process) {
        return process.info()
                .arguments()
                .filter(arguments -> List.of(arguments).contains("sandbox-watchdog"))
                .isPresent();
    }

    private void refuses(Faulty faulty, String words) {
        refuses(faulty, words, rules -> rules);
    }

    private void refuses(Faulty faulty, String words, UnaryOperator<SandboxPolicy.Builder> more) {
        Fixture fixture = new Fixture(folder, new LinuxSyscalls(faulty), List.of(), Map.of());
        SandboxPolicy policy =
                fixture.policy(rules -> more.apply(rules.addWritePaths("out").network(NetworkPolicy.none())));
        assertThatThrownBy(() -> fixture.sandbox().run(policy, Command.shell("touch out/ran")))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageStartingWith("SANDBOX_UNAVAILABLE: landlock: ")
                .hasMessageContaining(words);
        assertThat(folder.resolve("out/ran")).doesNotExist();
        assertThat(ProcessHandle.current().children().filter(child -> !isWatchdog(child)))
                .isEmpty();
    }

    /** In the backend's own proof, or in a run after it. */
    private void refusesAt(String step, Errno errno, String name) {
        String words = name + ": " + Errno.describe(errno.number());
        refuses(new Faulty(step, errno.number(), 0), words);
        refuses(new Faulty(step, errno.number(), 1), words);
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
        Faulty counting = new Faulty("add", 0, Integer.MAX_VALUE);
        new Fixture(folder, new LinuxSyscalls(counting), List.of(), Map.of())
                .run("true", rules -> rules.addWritePaths("out").network(NetworkPolicy.none()));
        int rules = Integer.MAX_VALUE - counting.passes;
        assertThat(rules).isGreaterThan(20);
        for (int rule = 0; rule < rules; rule++) {
            refuses(new Faulty("add", Errno.EINVAL.number(), rule), "landlock_add_rule");
        }
    }

    @Test
    void aFailingRestrictionIsRefused() {
        refusesAt("restrict", Errno.E2BIG, "landlock_restrict_self");
    }

    @Test
    void privilegesThatCannotBeGivenUpAreARefusal() {
        refusesAt("capset", Errno.EPERM, "drop_capabilities");
        refusesAt("no_new_privs", Errno.EINVAL, "no_new_privs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"setgroups", "setresgid", "setresuid"})
    void anIdentityThatCannotBeTakenIsARefusal(String call) throws IOException {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
        RunAs nobody = new RunAs(OptionalLong.of(65_534), OptionalLong.empty());
        refuses(
                new Faulty(call, Errno.EPERM.number(), 0),
                "run_as: " + Errno.describe(Errno.EPERM.number()),
                rules -> rules.runAs(nobody));
    }

    @Test
    void aNetworkThatCannotBeTakenAwayIsARefusal() {
        refuses(new Faulty("seccomp", Errno.EINVAL.number(), 0), "seccomp: " + Errno.describe(Errno.EINVAL.number()));
    }

    @Test
    void withoutAFaultTheSameRuns() {
        Fixture fixture = new Fixture(folder, new LinuxSyscalls(new Faulty("none", 0, 0)), List.of(), Map.of());

        fixture.run("touch out/ran", policy -> policy.addWritePaths("out"));

        assertThat(Files.exists(folder.resolve("out/ran"))).isTrue();
    }
}
