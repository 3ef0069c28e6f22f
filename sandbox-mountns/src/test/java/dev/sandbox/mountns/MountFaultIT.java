package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.spawn.Spawner;
import dev.sandbox.linux.spawn.SyscallProgram;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every entry of a step's program is made to fail in turn: nothing runs, nothing is left, and the refusal says which it was. */
class MountFaultIT {
    private static final Command MARK = Command.shell("echo ran > w/ran");

    private final Box box = new Box(Box.backend(Privilege.ofThisProcess()));

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

    @ParameterizedTest
    @EnumSource(Privilege.class)
    void everyEntryThatFailsRefusesTheRunAndLeavesNothing(Privilege privilege) {
        assumeCanMountBy(privilege);
        SessionRequest request = Box.request(representative());
        List<String> entries = entriesOf(request, privilege, 1);
        assertThat(entries).hasSizeGreaterThan(400);
        for (int failing = 1; failing <= entries.size(); failing++) {
            if (!isLookAtTheStep(entries.get(failing - 1))) {
                refuses(request, privilege, entries, failing, 0);
            }
        }
        assertThat(entries)
                .contains(
                        "make the stage",
                        "unshare the namespaces",
                        "mount proc",
                        "bring up the loopback",
                        "restrict_self",
                        "seccomp",
                        "no new privileges",
                        "seal /");
    }

    @ParameterizedTest
    @EnumSource(Privilege.class)
    void theSecondStepOfASessionIsRefusedTheSameWay(Privilege privilege) {
        assumeCanMountBy(privilege);
        SessionRequest request = Box.request(representative());
        List<String> entries = entriesOf(request, privilege, 2);
        assertThat(entries).contains("enter the stage").doesNotContain("make the stage");
        for (int failing = 1; failing <= entries.size(); failing++) {
            if (!isLookAtTheStep(entries.get(failing - 1))) {
                refuses(request, privilege, entries, failing, 1);
            }
        }
    }

    /** By then the step runs: no failure of its own can come of it. */
    private static boolean isLookAtTheStep(String entry) {
        return entry.equals("start the child" + SyscallProgram.OUTCOME);
    }

    private static void assumeCanMountBy(Privilege privilege) {
        assumeTrue(
                privilege == Privilege.USER_NAMESPACE || Privilege.ofThisProcess() == Privilege.MOUNTS,
                "needs root: this account has no CAP_SYS_ADMIN");
    }

    private static StepRequest step(Command command) {
        return StepRequest.piped(command);
    }

    /** The names of the entries of the last of so many steps. */
    private List<String> entriesOf(SessionRequest request, Privilege privilege, int steps) {
        List<String> names = new ArrayList<>();
        MountNamespaceBackend counting = Box.backend(privilege, new Spawner(entry -> {
            names.add(entry.name());
            return false;
        }));
        try (IsolationSession session = counting.open(request)) {
            for (int i = 0; i < steps; i++) {
                names.clear();
                try (SandboxedProcess process = session.start(step(Command.shell("true")))) {
                    assertThat(Box.finish(process).code()).isZero();
                }
            }
        }
        // Reached only when the program could not be executed.
        assertThat(names.remove(names.size() - 1)).isIn("find the program", names.get(names.size() - 1));
        names.remove("find the program");
        return names;
    }

    private void refuses(SessionRequest request, Privilege privilege, List<String> entries, int failing, int before) {
        List<String> traces = Traces.of(box.folder);
        int[] seen = {0};
        int[] started = {0};
        Spawner spawner = new Spawner(entry -> {
            if (entry.name().equals("find the program")) {
                return false;
            }
            seen[0]++;
            return started[0] == before && seen[0] == failing;
        });
        Throwable thrown = catchThrowable(() -> {
            try (IsolationSession session = Box.backend(privilege, spawner).open(request)) {
                for (; started[0] < before; started[0]++) {
                    try (SandboxedProcess process = session.start(step(Command.shell("true")))) {
                        Box.finish(process);
                    }
                }
                seen[0] = 0;
                session.start(step(MARK)).close();
            }
        });
        String entry = entries.get(failing - 1);
        assertThat(Traces.of(box.folder))
                .as("%s %s, thrown: %s, seen %s", failing, entry, thrown, seen[0])
                .containsExactlyInAnyOrderElementsOf(traces);
        if (entry.startsWith("execute ") && !entry.equals("execute the init")) {
            assertThat(thrown).as(entry).isInstanceOf(CommandNotStartedException.class);
            return;
        }
        assertThat(thrown)
                .as("%s %s of %s, seen %s", failing, entry, entries.size(), seen[0])
                .isInstanceOf(SandboxUnavailableException.class);
        Problem problem = ((SandboxUnavailableException) thrown).problems().get(0);
        assertThat(problem.fix()).isNotEmpty();
        String named = entry.startsWith("enter " + box.folder) ? "working_directory" : entry;
        assertThat(problem.what()).isEqualTo(named + ": Input/output error (EIO); nothing ran");
    }
}
