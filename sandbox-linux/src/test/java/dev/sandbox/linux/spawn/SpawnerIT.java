package dev.sandbox.linux.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.linux.uapi.Signals;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that real children carry out. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class SpawnerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Spawner spawner = new Spawner();

    @TempDir
    Path folder;

    private static Entry.Clone clone(SyscallProgram program) {
        return new Entry.Clone(
                "clone", Signals.SIGCHLD, program, Slot.named(program.name() + ".pid"), Optional.empty());
    }

    /** It waits for a signal until it is killed. */
    private static SyscallProgram hanging(String name) {
        Block none = Block.zero("no signals", Long.BYTES);
        return SyscallProgram.named(name)
                .call("hang for ever", SyscallNumbers.RT_SIGSUSPEND, Argument.at(none), Argument.of(Long.BYTES))
                .build();
    }

    @Test
    void resultsGoFromCallToCall() throws IOException {
        Path target = folder.resolve("written");
        Slot file = Slot.named("file");
        SyscallProgram program = SyscallProgram.named("child")
                .call(
                        file,
                        "open",
                        SyscallNumbers.OPENAT,
                        FileCalls.HERE,
                        Argument.text(target.toString()),
                        Argument.of(Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_CLOEXEC),
                        Argument.of(0600))
                .call("write", SyscallNumbers.WRITE, Argument.in(file), Argument.text("hello"), Argument.of(5))
                .build();
        try (SpawnReport report = spawner.spawn(clone(program), PATIENCE)) {
            assertThat(report.failure()).isEmpty();
            assertThat(report.value(file)).isGreaterThan(2);
        }
        assertThat(Files.readString(target)).isEqualTo("hello");
    }

    @Test
    void theFirstFailingCallStopsTheProgramAndIsTold() {
        Path target = folder.resolve("never");
        SyscallProgram program = SyscallProgram.named("child")
                .call("look", SyscallNumbers.GETPPID)
                .call("enter nowhere", SyscallNumbers.CHDIR, Argument.text("/no/such"))
                .add(FileCalls.directory("make", FileCalls.HERE, target.toString(), 0700))
                .build();
        try (SpawnReport report = spawner.spawn(clone(program), PATIENCE)) {
            assertThat(report.failure()).hasValueSatisfying(failure -> {
                assertThat(failure.entry().name()).isEqualTo("enter nowhere");
                assertThat(failure.errno()).isEqualTo(2);
            });
        }
        assertThat(target).doesNotExist();
    }

    @Test
    void theFailureOfANestedChildIsToldAndStopsItsParent() {
        SyscallProgram inner = SyscallProgram.named("inner")
                .call("enter nowhere", SyscallNumbers.CHDIR, Argument.text("/no/such"))
                .build();
        Path target = folder.resolve("never");
        SyscallProgram outer = SyscallProgram.named("outer")
                .child(new Entry.Clone(
                        "nested",
                        Sched.CLONE_PARENT | Signals.SIGCHLD,
                        inner,
                        Slot.named("inner.pid"),
                        Optional.empty()))
                .add(FileCalls.directory("make", FileCalls.HERE, target.toString(), 0700))
                .build();
        try (SpawnReport report = spawner.spawn(clone(outer), PATIENCE)) {
            assertThat(report.failure().orElseThrow().entry().name()).isEqualTo("enter nowhere");
        }
        assertThat(target).doesNotExist();
    }

    @Test
    void aChildThatHangsIsKilledTheInnermostFirstAndItsPlaceIsTold() {
        SyscallProgram inner = hanging("inner");
        SyscallProgram outer = SyscallProgram.named("outer")
                .child(new Entry.Clone(
                        "nested",
                        Sched.CLONE_PARENT | Signals.SIGCHLD,
                        inner,
                        Slot.named("inner.pid"),
                        Optional.empty()))
                .build();
        assertThatThrownBy(() -> spawner.spawn(clone(outer), Duration.ofMillis(200)))
                .isInstanceOf(SpawnTimeoutException.class)
                .hasMessageContaining("clone did not come to its end in 200 ms")
                .hasMessageContaining("hang for ever");
        assertThat(ProcessHandle.current().children().map(ProcessHandle::pid).filter(SpawnerIT::isOurs))
                .isEmpty();
    }

    /** The nested child still has its stack and its program in the caller's memory, which must not be freed under it. */
    @Test
    void anOuterChildThatIsKilledMeanwhileTakesTheInnerOneAlong() throws Exception {
        SyscallProgram outer = SyscallProgram.named("outer")
                .child(new Entry.Clone(
                        "nested",
                        Sched.CLONE_PARENT | Signals.SIGCHLD,
                        hanging("inner"),
                        Slot.named("inner.pid"),
                        Optional.empty()))
                .build();
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            Future<SpawnReport> spawn = callers.submit(() -> spawner.spawn(clone(outer), PATIENCE));
            List<Long> children = ours();
            while (children.size() < 2) {
                children = ours();
            }
            // The outer one was born first.
            ProcessHandle.of(children.get(0)).orElseThrow().destroyForcibly();
            try (SpawnReport report = spawn.get()) {
                assertThat(report.failure().orElseThrow().entry().name()).isEqualTo("hang for ever");
            }
            assertThat(ours()).isEmpty();
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void aChildThatIsKilledWhileItIsPreparedIsAFailureOfThatEntry() throws Exception {
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            Future<SpawnReport> spawn = callers.submit(() -> spawner.spawn(clone(hanging("child")), PATIENCE));
            List<Long> children = ours();
            while (children.isEmpty()) {
                children = ours();
            }
            ProcessHandle.of(children.get(0)).orElseThrow().destroyForcibly();
            try (SpawnReport report = spawn.get()) {
                assertThat(report.failure().orElseThrow().entry().name()).isEqualTo("hang for ever");
            }
        } finally {
            callers.shutdownNow();
        }
    }

    /** Whichever comes first: either the caller has the child, or there is none. */
    @Test
    void aChildThatIsReadyAsTheTimePassesIsTakenOverOrEnded() {
        int taken = 0;
        int late = 0;
        for (int i = 0; i < 4_000; i++) {
            // Around what a spawn takes, so that both happen.
            Duration patience = Duration.ofNanos(20_000L * (i % 100));
            SyscallProgram program = SyscallProgram.named("child")
                    .add(ProcessCalls.execute(
                            "/bin/sleep",
                            Block.pointers("argv", List.of("sleep", "1000")),
                            Block.pointers("envp", List.of())))
                    .add(ProcessCalls.noCandidate())
                    .build();
            Entry.Clone clone = clone(program);
            try (SpawnReport report = spawner.spawn(clone, patience)) {
                assertThat(report.failure()).isEmpty();
                ChildProcesses.kill(report.pid(clone));
                ChildProcesses.reap(report.pid(clone));
                taken++;
            } catch (SpawnTimeoutException passed) {
                late++;
            }
            assertThat(ProcessHandle.current().children())
                    .as("after %s taken, %s late", taken, late)
                    .isEmpty();
        }
        assertThat(taken).isPositive();
        assertThat(late).isPositive();
    }

    @Test
    void whatAnAbandonedChildHasOpenedInThisProcessIsHandedOn() {
        Slot file = Slot.named("file");
        SyscallProgram program = SyscallProgram.named("child")
                .add(FileCalls.open(file, "it", FileCalls.HERE, "/etc/passwd", Fcntl.O_PATH))
                .addAll(hanging("rest").entries())
                .build();
        Entry.Clone clone = new Entry.Clone(
                "clone", Sched.CLONE_FILES | Signals.SIGCHLD, program, Slot.named("child.pid"), Optional.empty());
        List<Long> opened = new ArrayList<>();
        assertThatThrownBy(() -> spawner.spawn(clone, Duration.ofMillis(200), report -> opened.add(report.value(file))))
                .isInstanceOf(SpawnTimeoutException.class);
        assertThat(opened).singleElement().satisfies(fd -> {
            assertThat(Path.of("/proc/self/fd/" + fd).toRealPath()).hasToString("/etc/passwd");
            RawSyscalls.host().close(fd.intValue());
        });
    }

    private static List<Long> ours() {
        return ProcessHandle.current()
                .children()
                .map(ProcessHandle::pid)
                .filter(SpawnerIT::isOurs)
                .sorted()
                .toList();
    }

    /** A child that never executed anything has this JVM's own command line. */
    private static boolean isOurs(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"))
                    .equals(Files.readString(Path.of("/proc/self/cmdline")));
        } catch (IOException ended) {
            return false;
        }
    }

    @Test
    void hangingSpawnsDoNotKeepOthersOut() throws Exception {
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            List<Future<?>> hanging = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                hanging.add(callers.submit(() -> spawner.spawn(clone(hanging("child")), Duration.ofSeconds(3))));
            }
            SyscallProgram nothing = SyscallProgram.named("child").build();
            try (SpawnReport report = spawner.spawn(clone(nothing), PATIENCE)) {
                assertThat(report.failure()).isEmpty();
            }
            assertThat(hanging).noneMatch(Future::isDone);
            for (Future<?> one : hanging) {
                assertThatThrownBy(one::get).hasCauseInstanceOf(SpawnTimeoutException.class);
            }
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void manyThreadsSpawnAtOnce() throws Exception {
        int threads = 64;
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Long>> work = new ArrayList<>();
            for (int i = 0; i < 20 * threads; i++) {
                work.add(() -> {
                    Slot parent = Slot.named("parent");
                    SyscallProgram program = SyscallProgram.named("child")
                            .call(parent, "look", SyscallNumbers.GETPPID)
                            .build();
                    try (SpawnReport report = spawner.spawn(clone(program), PATIENCE)) {
                        return report.value(parent);
                    }
                });
            }
            for (Future<Long> one : callers.invokeAll(work)) {
                assertThat(one.get()).isEqualTo(ProcessHandle.current().pid());
            }
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void comparedWordsThatDifferStopTheProgram() {
        Slot word = Slot.named("word");
        SyscallProgram program = SyscallProgram.named("child")
                .call(word, "look", SyscallNumbers.GETPPID)
                .compare(
                        "same",
                        Argument.in(word),
                        Argument.of(ProcessHandle.current().pid()),
                        22)
                .compare("other", Argument.in(word), Argument.of(-1), 22)
                .build();
        try (SpawnReport report = spawner.spawn(clone(program), PATIENCE)) {
            assertThat(report.failure().orElseThrow().entry().name()).isEqualTo("other");
            assertThat(report.failure().orElseThrow().errno()).isEqualTo(22);
        }
    }

    @Test
    void theTextOfAProgramShowsItsCalls() {
        Slot file = Slot.named("file");
        SyscallProgram program = SyscallProgram.named("child")
                .add(FileCalls.open(file, "it", FileCalls.HERE, "/etc/motd", Fcntl.O_PATH))
                .add(DescriptorCalls.close(file))
                .build();
        assertThat(program.lines())
                .containsExactly(
                        "open it: openat(-100, \"/etc/motd\", 0x280000, 0) -> $file", "close $file: close($file)");
    }
}
