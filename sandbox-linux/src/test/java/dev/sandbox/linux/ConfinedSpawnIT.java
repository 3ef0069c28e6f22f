package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.ProblemCode;
import dev.sandbox.linux.seccomp.Filters;
import dev.sandbox.linux.spawn.Spawner;
import dev.sandbox.linux.uapi.Fcntl;
import java.io.IOException;
import java.io.UncheckedIOException;
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

    /** Every entry of a whole program is made to fail in turn. */
    @Test
    void eachFailingEntryStartsNothingAndIsNamed() {
        List<String> entries = new ArrayList<>();
        new ConfinedSpawn(new Spawner(entry -> {
                    entries.add(entry.name());
                    return false;
                }))
                .spawn(confined("/usr/bin/touch", "/dev/null"))
                .close();
        assertThat(entries).hasSizeGreaterThan(70);
        Path trace = directory.resolve("trace");
        int descriptors = descriptors();
        // The last is reached only when the program could not be executed.
        for (int failing = 1; failing < entries.size(); failing++) {
            int number = failing;
            int[] seen = {0};
            ConfinedSpawn broken = new ConfinedSpawn(new Spawner(entry -> ++seen[0] == number));
            String entry = entries.get(number - 1);
            assertThatThrownBy(() -> broken.spawn(confined("/usr/bin/touch", trace.toString())))
                    .satisfies(e -> assertThat(failedEntry(e, entry)).isEqualTo(entry));
        }
        assertThat(trace).doesNotExist();
        assertThat(descriptors()).isLessThanOrEqualTo(descriptors);
        assertThat(ProcessHandle.current().children().filter(ConfinedSpawnIT::isNoWatchdog))
                .isEmpty();
    }

    /** What a program that cannot be executed is told by is its path. */
    private static String failedEntry(Throwable thrown, String entry) {
        if (thrown instanceof ConfinementException confinement) {
            assertThat(confinement.errno()).isEqualTo(Errno.EIO.number());
            String step = confinement.stepName();
            return step.equals(ConfinementException.WORKING_DIRECTORY) ? "enter /" : step;
        }
        assertThat(thrown).isInstanceOf(CommandNotStartedException.class);
        return entry.startsWith("execute ") ? entry : "no program";
    }

    private static boolean isNoWatchdog(ProcessHandle child) {
        return !List.of(child.info().arguments().orElse(new String[0])).contains("sandbox-watchdog");
    }

    private static int descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return (int) open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SpawnRequest confined(String program, String... arguments) {
        return Children.program(program, arguments)
                .confinement(Confinement.builder().filter(Filters.usual()).build())
                .limits(Limits.builder().openFiles(100).build())
                .build();
    }

    @Test
    void confinedChildHasNoPrivilegesWhileTheJvmKeepsItsOwn() throws IOException {
        String before = ownStatus();
        Children.Outcome outcome = Children.run(Children.shell("grep -E '^(NoNewPrivs|Cap)' /proc/self/status")
                .confinement(Confinement.builder().build()));
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

    @Test
    void manyOpenFilesChangeNothing() {
        List<FileDescriptor> open = new ArrayList<>();
        try {
            for (int i = 0; i < 2_000; i++) {
                open.add(LinuxSyscalls.host().open("/dev/null", Fcntl.O_RDONLY));
            }
            assertThat(Children.run(Children.shell("ls /proc/self/fd | wc -l"))
                            .out()
                            .trim())
                    .isEqualTo("4");
        } finally {
            open.forEach(FileDescriptor::close);
        }
    }
}
