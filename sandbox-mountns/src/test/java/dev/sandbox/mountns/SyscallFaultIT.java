package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.linux.uapi.Architecture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Whichever call of the privileged way fails, the error says which and why, nothing runs, and nothing is left. */
@EnabledIf(value = "isPrivileged", disabledReason = "needs root: this account has no CAP_SYS_ADMIN")
final class SyscallFaultIT {
    private static final Command MARK = Command.shell("echo ran > w/ran; echo ran > /tmp/ran");

    private final Box box = new Box(backend(FaultySyscalls.none()));

    static boolean isPrivileged() {
        return SyscallEnforcerIT.isPrivileged();
    }

    private static MountNamespaceBackend backend(FaultySyscalls faulty) {
        return new MountNamespaceBackend(faulty.checked(), Box.HOST, MountNamespaceBackend.Way.SYSCALLS);
    }

    /** Every kind of operation: placeholders, links, all modes of bind, masks, devpts, a place on the host, a network of its own. */
    private SandboxPolicy representative() {
        box.file("w/.env", "secret");
        box.file("w/keys/id", "secret");
        box.file("w/kept", "kept");
        box.file("r/x", "read");
        box.file("l/x", "listed");
        return box.policy()
                .addWritePaths("w")
                .addReadPaths("r")
                .addListPaths("l")
                .addBlockedPaths("w/.env", "w/keys", "w/none/deep")
                .addBlockedWritePaths("w/kept")
                .network(NetworkPolicy.none())
                .build();
    }

    @AfterEach
    void close() {
        box.close();
    }

    @Test
    void everyCallThatFailsRefusesTheRunAndLeavesNothing() {
        SessionRequest request = Box.request(representative());
        List<String> calls = callsOf(request, FaultySyscalls.none());
        List<String> refusals = new ArrayList<>();
        for (int call = 1; call <= calls.size(); call++) {
            FaultySyscalls faulty = FaultySyscalls.failingAt(call);
            String problem = refusal(faulty, request);
            assertThat(problem).as("call %s, %s", call, calls.get(call - 1)).contains("Input/output error (EIO)");
            refusals.add(problem);
        }
        assertThat(calls)
                .contains(
                        "unshare",
                        "setns",
                        "mount",
                        "seccomp",
                        "pivot_root",
                        "open_tree",
                        "mount_setattr",
                        "move_mount")
                .contains(
                        "fsopen",
                        "fsconfig",
                        "fsmount",
                        "pidfd_open",
                        "sethostname",
                        "ioctl",
                        "symlinkat",
                        "prctl",
                        "capset",
                        "pipe2",
                        "umount2");
        assertThat(box.backend.plan(request).operations())
                .filteredOn(operation -> !operation.line().startsWith("proc "))
                .allSatisfy(operation -> assertThat(refusals).anyMatch(line -> line.startsWith(operation.line())));
        for (String step : List.of(
                "unshare",
                "keep",
                "enter",
                "hostname",
                "loopback",
                "private",
                "mount proc",
                "drop_capabilities",
                "no_new_privs")) {
            assertThat(refusals).anyMatch(line -> line.contains(step));
        }
    }

    @Test
    void anIdentityThatCannotBeTakenRefusesTheRun() {
        SessionRequest asRoot = Box.request(box.policy().addWritePaths("w").build());
        box.file("w/kept", "kept");
        ResolvedPolicy policy = ResolvedPolicy.builder()
                .from(asRoot.policy())
                .runAs(new Identity(65_534, 65_534))
                .build();
        SessionRequest request = new SessionRequest(policy, asRoot.environment());
        List<String> calls = callsOf(request, FaultySyscalls.none());
        for (String call : List.of("setgroups", "setresgid", "setresuid")) {
            assertThat(refusal(FaultySyscalls.failingAt(calls.indexOf(call) + 1), request))
                    .isEqualTo("run_as: Input/output error (EIO); nothing ran");
        }
    }

    @Test
    void anInitThatCannotBeForkedRefusesTheRun() {
        SessionRequest request = Box.request(representative());
        int unshare = callsOf(request, FaultySyscalls.none()).lastIndexOf("unshare") + 1;
        int[] clones = Architecture.host() == Architecture.X86_64 ? new int[] {56, 435} : new int[] {220, 435};

        assertThat(refusal(FaultySyscalls.withoutAfter(unshare, false, clones), request))
                .contains("init", "Input/output error (EIO)");
    }

    @Test
    void anInitThatCannotMountItsProcRefusesTheRunInTheWordsOfMount() {
        SessionRequest request = Box.request(representative());
        int named = callsOf(request, FaultySyscalls.ofAnOldKernel()).lastIndexOf("sethostname") + 1;
        // mount(2), and the calls that newer versions of mount(8) make in its place
        int mount = Architecture.host() == Architecture.X86_64 ? 165 : 40;

        assertThat(refusal(FaultySyscalls.withoutAfter(named, true, mount, 429, 430, 432), request))
                .contains("init", "/proc");
    }

    @Test
    void withoutAFaultTheSameRuns() {
        SandboxPolicy policy = representative();

        box.run(Box.request(policy), MARK);

        assertThat(box.folder.resolve("w/ran")).hasContent("ran");
    }

    /** The calls until a step has started. */
    private List<String> callsOf(SessionRequest request, FaultySyscalls counting) {
        try (IsolationSession session = backend(counting).open(request);
                SandboxedProcess process = session.start(StepRequest.piped(Command.of("true")))) {
            List<String> calls = List.copyOf(counting.calls());
            assertThat(Box.finish(process).code()).isZero();
            return calls;
        }
    }

    /** What the refusal says was wrong; everything else that must hold of it is looked at here. */
    private String refusal(FaultySyscalls faulty, SessionRequest request) {
        List<String> before = Traces.of(box.folder);
        Throwable thrown = catchThrowable(() -> {
            try (IsolationSession session = backend(faulty).open(request)) {
                session.start(StepRequest.piped(MARK)).close();
            }
        });
        assertThat(Traces.of(box.folder))
                .as("%s, thrown: %s", faulty, thrown)
                .containsExactlyInAnyOrderElementsOf(before);
        assertThat(thrown).isInstanceOf(SandboxUnavailableException.class);
        Problem problem = ((SandboxUnavailableException) thrown).problems().get(0);
        assertThat(problem.where()).isIn("mountns", "placeholders");
        assertThat(problem.fix()).isNotEmpty();
        return problem.what();
    }
}
