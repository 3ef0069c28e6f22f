package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.BaselineEntry;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.SystemBaseline;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import dev.sandbox.mountns.MountOperation.Bind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whichever mount or program of the unprivileged way fails, the error says which and why, nothing runs, and nothing is left. */
final class ScriptFaultIT {
    private static final List<String> SYSTEM = List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin");

    private final Box box = new Box(Box.backend(MountNamespaceBackend.Way.SCRIPT));

    @BeforeEach
    void look() {
        BackendAssessment assessment = box.backend.assess();
        assumeTrue(assessment.isUsable(), assessment.detail());
    }

    @AfterEach
    void close() {
        box.close();
    }

    static List<String> programs() {
        return Tools.NEEDED;
    }

    private MountPlan representative() {
        box.file("w/.env", "secret");
        box.file("w/keys/id", "secret");
        box.file("w/kept", "kept");
        box.file("r/x", "read");
        box.file("tools/x", "");
        SandboxPolicy policy = box.policy()
                .addWritePaths("w")
                .addReadPaths("r", "tools")
                .addBlockedPaths("w/.env", "w/keys")
                .addBlockedWritePaths("w/kept")
                .build();
        return box.backend.plan(Box.request(policy));
    }

    private static Launch mark() {
        Command command = Command.shell("echo ran > w/ran");
        return Launch.of(
                StepRequest.piped(command),
                Map.of("PATH", "/usr/bin:/bin"),
                List.of(),
                Limits.builder().build());
    }

    private static void run(ScriptEnforcer enforcer, MountPlan plan) {
        try (EnforcerSession session = enforcer.open()) {
            session.start(plan, mark()).close();
        }
    }

    private static ScriptEnforcer enforcer(Tools tools) {
        return new ScriptEnforcer(LinuxSyscalls.host(), new ConfinedSpawn(), Box.HOST.files(), tools);
    }

    @Test
    void everyMountThatCannotBeMadeRefusesTheRunAndIsNamed() {
        MountPlan plan = representative();
        ScriptEnforcer enforcer = enforcer(Tools.find());
        for (Bind bind : plan.binds().toList()) {
            MountPlan broken = withoutSource(plan, bind);

            String refusal = refusal(() -> run(enforcer, broken));

            assertThat(refusal).as(bind.line()).contains(bind.target().toString());
        }
    }

    /** As if the source had gone away after the plan was made. */
    private static MountPlan withoutSource(MountPlan plan, Bind broken) {
        List<MountOperation> operations = new ArrayList<>(plan.operations());
        AbsolutePath gone = AbsolutePath.of("/usr/gone");
        operations.replaceAll(operation -> operation.equals(broken)
                ? new Bind(gone, broken.origin(), broken.target(), broken.kind(), broken.mode())
                : operation);
        return new MountPlan(
                operations, plan.hostPlaceholders(), plan.network(), plan.workDir(), plan.filter(), plan.runAs());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void aProgramThatIsMissingIsNamed(String program) throws IOException {
        Path tools = toolsBut(program);

        String refusal = refusal(() -> Tools.find(List.of(tools.toString())));

        assertThat(refusal).contains("the program " + program + " is in none of " + tools);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unshare", "nsenter", "mount", "umount", "pivot_root", "setpriv", "sh"})
    void aProgramThatFailsWhileTheSandboxIsSetUpRefusesTheRunInItsOwnWords(String program) throws IOException {
        MountPlan plan = representative();
        ScriptEnforcer enforcer = enforcer(failing(program));

        String refusal = refusal(() -> run(enforcer, plan));

        assertThat(refusal).contains(program + ": Operation not permitted");
    }

    /** It becomes the step, when everything is decided: the backend finds out when it proves itself, before any step. */
    @Test
    void aSetsidThatFailsIsFoundByTheProof() throws IOException {
        LinuxSyscalls syscalls = LinuxSyscalls.host();
        Tools tools = failing("setsid");
        PlanSource plans = new PlanSource(Box.HOST.files(), new HostPlaceholders(syscalls), () -> false);
        Host host = new Host(
                Box.HOST.files(),
                SystemBaseline.standard()
                        .plus(List.of(new BaselineEntry(
                                AbsolutePath.of(box.folder.resolve("tools").toString()), Access.READ))),
                List.of());
        Proof proof = new Proof(host, new NativeHostFiles(syscalls), plans, enforcer(tools));

        assertThat(refusal(proof::run)).contains("the proof failed with 1");
    }

    private Tools failing(String program) throws IOException {
        Path tools = toolsBut(program);
        Files.writeString(
                tools.resolve(program), "#!/bin/sh\necho '" + program + ": Operation not permitted' >&2\nexit 1\n");
        Files.setPosixFilePermissions(tools.resolve(program), PosixFilePermissions.fromString("rwxr-xr-x"));
        return Tools.find(List.of(tools.toString()));
    }

    /** A folder of links to this host's programs, without one. */
    private Path toolsBut(String absent) throws IOException {
        Path tools = Files.createDirectories(box.folder.resolve("tools"));
        for (String name : Tools.NEEDED) {
            if (!name.equals(absent)) {
                Files.createSymbolicLink(
                        tools.resolve(name), Path.of(Tools.find(SYSTEM).get(name)));
            }
        }
        return tools;
    }

    private String refusal(ThrowingCallable run) {
        List<String> before = Traces.of(box.folder);
        Throwable thrown = catchThrowable(run);
        assertThat(Traces.of(box.folder)).as(String.valueOf(thrown)).containsExactlyInAnyOrderElementsOf(before);
        assertThat(thrown).isInstanceOf(SandboxUnavailableException.class);
        Problem problem = ((SandboxUnavailableException) thrown).problems().get(0);
        assertThat(problem.where()).isEqualTo("mountns");
        return problem.what();
    }
}
