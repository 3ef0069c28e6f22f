package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.Guice;
import com.google.inject.util.Modules;
import dev.sandbox.app.cli.InProcess;
import dev.sandbox.core.SandboxModule;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.landlock.LandlockModule;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.landlock.FsRight;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kernels that fail at one call: nothing may run, whichever it is. */
final class NoLandlockIT {
    private static final int ENOSYS = 38;
    private static final int EPERM = 1;

    @TempDir
    private Path folder;

    @Test
    void aKernelWithoutLandlockRunsNothing() {
        refuses(
                new RawSyscalls() {
                    @Override
                    public int landlockCreateRuleset(long attributes, long size, int flags) {
                        return -ENOSYS;
                    }
                },
                "this kernel has no Landlock");
    }

    @Test
    void aKernelThatRefusesARuleRunsNothing() {
        refuses(
                new RawSyscalls() {
                    @Override
                    public int landlockAddRule(int ruleset, int type, long attributes, int flags) {
                        return -EPERM;
                    }
                },
                "landlock_add_rule");
    }

    @Test
    void aKernelThatOnlyPretendsToRestrictRunsNothing() {
        refuses(
                new RawSyscalls() {
                    /** Of all rights it looks after one that no step of the proof uses. */
                    @Override
                    public int landlockCreateRuleset(long attributes, long size, int flags) {
                        if (flags == 0) {
                            NativeArena.putLong(attributes, FsRight.MAKE_SOCK.bit());
                        }
                        return super.landlockCreateRuleset(attributes, size, flags);
                    }

                    @Override
                    public int landlockAddRule(int ruleset, int type, long attributes, int flags) {
                        return 0;
                    }
                },
                "preflight failed");
    }

    @Test
    void theSameWiringOnThisKernelRuns() {
        assertThat(sandbox(RawSyscalls.host()).run(policy(), command()).exitCode())
                .isZero();
        assertThat(folder.resolve("marker")).exists();
    }

    private void refuses(RawSyscalls kernel, String reason) {
        StandardSandbox sandbox = sandbox(kernel);
        assertThatThrownBy(() -> sandbox.run(policy(), command()))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageStartingWith("SANDBOX_UNAVAILABLE: landlock: ")
                .hasMessageContaining(reason);
        InProcess.Said said = InProcess.run(
                () -> sandbox,
                "run",
                "--base",
                folder.toString(),
                "--backend",
                "landlock",
                "--write",
                ".",
                "-c",
                "echo ran > marker");
        assertThat(said.code()).isEqualTo(125);
        assertThat(said.err()).startsWith("SANDBOX_UNAVAILABLE: landlock: ").hasLineCount(1);
        assertThat(folder.resolve("marker")).doesNotExist();
    }

    private static StandardSandbox sandbox(RawSyscalls kernel) {
        return Guice.createInjector(Modules.override(new SandboxModule(new LandlockModule()))
                        .with(binder -> binder.bind(LinuxSyscalls.class).toInstance(new LinuxSyscalls(kernel))))
                .getInstance(StandardSandbox.class);
    }

    private SandboxPolicy policy() {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .addWritePaths(".")
                .backend(BackendName.LANDLOCK)
                .build();
    }

    private static Command command() {
        return Command.shell("echo ran > marker");
    }
}
