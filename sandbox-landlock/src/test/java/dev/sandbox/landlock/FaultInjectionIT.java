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
import dev.sandbox.linux.spawn.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    }

    /** Fails the entries of that name from the given time on. */
    private static Spawner failing(String entry, int passes) {
        AtomicInteger left = new AtomicInteger(passes);
        return new Spawner(it -> it.name().startsWith(entry) && left.getAndDecrement() <= 0);
    }

    /** The one of this JVM, which stays. */
    private static boolean isWatchdog(ProcessHandle process) {
        return process.info()
                .arguments()
                .filter(arguments -> List.of(arguments).contains("sandbox-watchdog"))
                .isPresent();
    }

    private void refuses(Faulty faulty, String words) {
        refuses(new Fixture(folder, new LinuxSyscalls(faulty), List.of(), Map.of()), words, rules -> rules);
    }

    private void refuses(Fixture fixture, String words, UnaryOperator<SandboxPolicy.Builder> more) {
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

    private Fixture withFailing(String entry, int passes) {
        return new Fixture(folder, LinuxSyscalls.host(), failing(entry, passes), List.of(), Map.of());
    }

    /** In the backend's own proof, or in a run after it. */
    private void refusesAt(String entry) {
        String words = entry + ": " + Errno.describe(Errno.EIO.number());
        refuses(withFailing(entry, 0), words, rules -> rules);
        refuses(withFailing(entry, 1), words, rules -> rules);
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

    @ParameterizedTest
    @ValueSource(strings = {"restrict_self", "no new privileges", "seccomp", "clear the ambient capabilities"})
    void aRestrictionThatFailsIsARefusal(String entry) {
        refusesAt(entry);
    }

    @Test
    void withoutSeccompAnotherBackendOfThisKernelIsNoWayOut() {
        refuses(withFailing("seccomp", 0), "allow seccomp(2) in the filter around this process", rules -> rules);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run_as: drop the groups", "run_as: set the group 65534", "run_as: set the user 65534"})
    void anIdentityThatCannotBeTakenIsARefusal(String entry) throws IOException {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "needs root");
        RunAs nobody = new RunAs(OptionalLong.of(65_534), OptionalLong.empty());
        refuses(withFailing(entry, 0), entry + ": " + Errno.describe(Errno.EIO.number()), rules -> rules.runAs(nobody));
    }

    @Test
    void withoutAFaultTheSameRuns() {
        Fixture fixture = new Fixture(folder, new LinuxSyscalls(new Faulty("none", 0, 0)), List.of(), Map.of());

        fixture.run("touch out/ran", policy -> policy.addWritePaths("out"));

        assertThat(Files.exists(folder.resolve("out/ran"))).isTrue();
    }
}
