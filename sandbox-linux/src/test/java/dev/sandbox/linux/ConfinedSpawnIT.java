package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.linux.uapi.Fcntl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jnr.ffi.LibraryLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfinedSpawnIT {
    @TempDir
    Path directory = Path.of("/");

    @Test
    void childGetsExactlyTheEnvironmentAndTheMarker() {
        Children.Outcome outcome = Children.run(Children.program("/usr/bin/env")
                .environment(Map.of("A", "1", "B", "ü x=y", "SANDBOX_RUN_ID", "forged"))
                .marker("the-run"));
        assertThat(outcome.out().lines()).containsExactlyInAnyOrder("A=1", "B=ü x=y", "SANDBOX_RUN_ID=the-run");
    }

    @Test
    void childStartsInTheWorkingDirectory() throws IOException {
        Path real = directory.toRealPath();
        assertThat(Children.run(Children.program("/bin/pwd").workingDirectory(real.toString()))
                        .out())
                .isEqualTo(real + "\n");
    }

    @Test
    void missingWorkingDirectoryIsNotTakenForAMissingCommand() {
        assertThatThrownBy(() -> Children.start(Children.program("/bin/true")
                        .workingDirectory(directory.resolve("no").toString())))
                .isInstanceOfSatisfying(ConfinementException.class, e -> {
                    assertThat(e.stepName()).isEqualTo("working_directory");
                    assertThat(e.errno()).isEqualTo(Errno.ENOENT.number());
                });
    }

    @Test
    void childInheritsNoDescriptorButTheThreeStreams() {
        RawSyscalls raw = RawSyscalls.host();
        try (FileDescriptor leak = LinuxSyscalls.host().open("/etc/passwd", Fcntl.O_RDONLY)) {
            LinuxSyscalls.check(raw.fcntl(leak.number(), Fcntl.F_SETFD, 0), "fcntl", "");
            // The shell's glob opens one more descriptor to list with; that is closed when echo runs.
            Children.Outcome outcome =
                    Children.run(Children.shell("for f in /proc/$$/fd/*; do [ -e $f ] && readlink $f; done")
                            .stdin(Stdio.PIPE));
            assertThat(outcome.out()).doesNotContain("passwd");
            assertThat(outcome.out().lines()).allSatisfy(l -> assertThat(l).matches("pipe:.*|/proc/.*/fd|/dev/null"));
        }
    }

    @Test
    void childLeadsItsOwnSessionWithDefaultSignals() {
        Children.Outcome outcome = Children.run(
                Children.shell("cut -d' ' -f1,5,6 /proc/$$/stat; grep -E '^Sig(Blk|Ign)' /proc/self/status"));
        List<String> lines = outcome.out().lines().toList();
        String[] numbers = lines.get(0).split(" ", -1);
        assertThat(numbers[1]).isEqualTo(numbers[0]);
        assertThat(numbers[2]).isEqualTo(numbers[0]);
        // Of grep itself: dash blocks signals while it starts one. glibc leaves its two internal signals, 32 and 33,
        // ignored.
        assertThat(lines.subList(1, 3)).allSatisfy(line -> assertThat(line).matches(".*\t0000000180000000|.*\t0{16}"));
    }

    /** Public for the stub that jnr generates. */
    public interface SignalFunction {
        long signal(int number, long handler);
    }

    @Test
    void signalThatTheJvmIgnoresIsNotIgnoredByTheChild() {
        SignalFunction libc = LibraryLoader.create(SignalFunction.class).load("c");
        int urgent = 23;
        long defaultAction = 0;
        long ignore = 1;
        libc.signal(urgent, ignore);
        try {
            assertThat(Children.run(Children.shell("grep SigIgn /proc/self/status"))
                            .out())
                    .matches("SigIgn:\t(0000000180000000|0{16})\n");
        } finally {
            libc.signal(urgent, defaultAction);
        }
    }

    @Test
    void brokenPipeKillsAWriterAsInAnyShell() {
        Children.Outcome outcome =
                Children.run(Children.program("/bin/bash", "-c", "yes | head -n1; echo ${PIPESTATUS[0]}"));
        assertThat(outcome.out()).isEqualTo("y\n141\n");
    }

    @Test
    void absentCandidatesGiveWayToTheNext() {
        Children.Outcome outcome =
                Children.run(Children.shell("echo ran").programs(List.of("/no/such", "/etc/passwd/x", "/bin/sh")));
        assertThat(outcome.out()).isEqualTo("ran\n");
    }

    @Test
    void candidateWithoutExecutePermissionIsPassedOverAndRemembered() throws IOException {
        Path plain = Files.writeString(directory.resolve("plain"), "#!/bin/sh\n");
        assertThat(Children.run(Children.shell("echo ran").programs(List.of(plain.toString(), "/bin/sh")))
                        .out())
                .isEqualTo("ran\n");
        assertThatThrownBy(
                        () -> Children.start(Children.shell("").programs(List.of("/no/a", plain.toString(), "/no/b"))))
                .isInstanceOfSatisfying(CommandNotStartedException.class, e -> {
                    assertThat(e.code()).isEqualTo(ProblemCode.COMMAND_NOT_EXECUTABLE);
                    assertThat(e).hasMessageContaining(plain.toString()).hasMessageContaining("EACCES");
                });
    }

    @Test
    void fileThatIsNoProgramStopsTheSearch() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "no program");
        Files.setPosixFilePermissions(text, PosixFilePermissions.fromString("rwx------"));
        assertThatThrownBy(() -> Children.start(Children.shell("").programs(List.of(text.toString(), "/bin/sh"))))
                .isInstanceOf(CommandNotStartedException.class)
                .hasMessageContaining("ENOEXEC");
    }

    @Test
    void missingProgramIsNotFound() {
        assertThatThrownBy(() -> Children.start(Children.program("/no/such")))
                .isInstanceOfSatisfying(
                        CommandNotStartedException.class,
                        e -> assertThat(e.exitCode()).isEqualTo(127));
    }

    @Test
    void failingStepStartsNothingAndIsNamed() {
        List<String> ran = new ArrayList<>();
        Path trace = directory.resolve("trace");
        assertThatThrownBy(() -> Children.start(Children.program("/usr/bin/touch", trace.toString())
                        .addConfinement(step("first", ran, 0), step("second", ran, 13), step("third", ran, 0))))
                .isInstanceOfSatisfying(ConfinementException.class, e -> {
                    assertThat(e.stepName()).isEqualTo("second");
                    assertThat(e.errno()).isEqualTo(13);
                });
        assertThat(ran).containsExactly("first", "second");
        assertThat(trace).doesNotExist();
    }

    @Test
    void throwingStepIsToldOnTheCallersThread() {
        ConfinementStep broken = new ConfinementStep() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public int apply() {
                throw new ArithmeticException("broken");
            }
        };
        assertThatThrownBy(() -> Children.start(Children.program("/bin/true").addConfinement(broken)))
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("broken");
    }

    @Test
    void confinedChildHasNoPrivilegesWhileTheJvmKeepsItsOwn() throws IOException {
        String before = ownStatus();
        Children.Outcome outcome = Children.run(Children.shell("grep -E '^(NoNewPrivs|Cap)' /proc/self/status")
                .addConfinement(ConfinementSteps.noNewPrivs(), ConfinementSteps.dropCapabilities()));
        assertThat(outcome.out()).contains("NoNewPrivs:\t1");
        assertThat(outcome.out().lines().filter(l -> l.matches("Cap(Inh|Prm|Eff|Amb).*")))
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).endsWith("\t0000000000000000"));
        if (RawSyscalls.host().geteuid() == 0) {
            assertThat(outcome.out()).contains("CapBnd:\t0000000000000000");
        }
        assertThat(ownStatus()).isEqualTo(before).doesNotContain("NoNewPrivs:\t1");
    }

    /** Every thread of the JVM. */
    private static String ownStatus() throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.flatMap(ConfinedSpawnIT::lines)
                    .filter(line -> line.matches("(NoNewPrivs|Cap|Seccomp:).*"))
                    .distinct()
                    .sorted()
                    .toList()
                    .toString();
        }
    }

    private static Stream<String> lines(Path task) {
        try {
            return Files.readAllLines(task.resolve("status")).stream();
        } catch (IOException ended) {
            return Stream.of();
        }
    }

    private static ConfinementStep step(String name, List<String> ran, int errno) {
        return new ConfinementStep() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public int apply() {
                ran.add(name);
                return errno;
            }
        };
    }

    @Test
    void helperSpawnedByAStepEndsWithTheRunAndIsNoLeftover() {
        SpawnRequest request = Children.program("/bin/sleep", "1000").build();
        try (PreparedSpawn helper = PreparedSpawn.build(request, new StandardStreams(0, 1, 2))) {
            ConfinementStep spawnHelper = new ConfinementStep() {
                @Override
                public String name() {
                    return "helper";
                }

                @Override
                public int apply() {
                    return helper.spawn();
                }
            };
            SpawnRequest main = Children.program("/bin/true")
                    .marker(request.marker())
                    .addConfinement(spawnHelper)
                    .build();
            try (NativeProcess process = Children.SPAWN.spawn(main, List.of(helper))) {
                assertThat(helper.pid()).isPositive();
                Children.Outcome outcome = Children.exchange(process, Exchange.builder());
                assertThat(outcome.completion().leftovers()).isEqualTo(Completion.Leftovers.NONE);
                assertThat(Path.of("/proc/" + helper.pid())).doesNotExist();
            }
        }
    }
}
