package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Completion.Leftovers;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.OutputSink.Demand;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.result.Termination;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
@SuppressWarnings("try") // closing early, and twice, is what some of these are about
final class NativeProcessIT {
    private static final Duration LONG = Duration.ofMinutes(4);
    /** So short that it has passed at once; what is asserted does not depend on how long anything takes. */
    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void everyExitCodeArrives() {
        for (int code = 0; code <= 255; code++) {
            Completion completion = Children.run(Children.shell("exit " + code)).completion();
            assertThat(completion)
                    .isEqualTo(new Completion(ExitStatus.exited(code), Termination.EXITED, Leftovers.NONE));
        }
    }

    @Test
    void deadlySignalsArrive() {
        for (int signal : new int[] {1, 2, 3, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 24, 31}) {
            Completion completion = Children.run(Children.shell("ulimit -c 0; kill -" + signal + " $$"))
                    .completion();
            assertThat(completion)
                    .isEqualTo(new Completion(ExitStatus.signaled(signal), Termination.SIGNALED, Leftovers.NONE));
        }
    }

    @Test
    void fiftyMegabytesOnBothStreamsArriveWhole() {
        AtomicLong out = new AtomicLong();
        AtomicLong err = new AtomicLong();
        try (NativeProcess process =
                Children.start(Children.shell("head -c 50000000 /dev/zero & head -c 50000000 /dev/zero >&2; wait"))) {
            process.exchange(Exchange.builder()
                    .stdout((buffer, offset, length) -> {
                        out.addAndGet(length);
                        return Demand.MORE;
                    })
                    .stderr((buffer, offset, length) -> {
                        err.addAndGet(length);
                        return Demand.MORE;
                    })
                    .build());
        }
        assertThat(out).hasValue(50_000_000);
        assertThat(err).hasValue(50_000_000);
    }

    @Test
    void timeoutKillsAChildThatIgnoresSigterm() {
        try (NativeProcess process =
                Children.start(Children.shell("trap '' TERM; echo ready; while :; do sleep 1000; done"))) {
            Children.Outcome outcome = Children.exchange(
                    process, Exchange.builder().timeout(Duration.ofSeconds(1)).grace(SHORT));
            assertThat(outcome.out()).isEqualTo("ready\n");
            assertThat(outcome.completion().termination()).isEqualTo(Termination.TIMED_OUT);
            assertThat(outcome.completion().status()).isEqualTo(ExitStatus.signaled(9));
        }
    }

    @Test
    void timeoutLetsAChildCleanUpFirst() {
        try (NativeProcess process =
                Children.start(Children.shell("trap 'echo clean; exit 7' TERM; while :; do sleep 0.05; done"))) {
            Children.Outcome outcome = Children.exchange(
                    process, Exchange.builder().timeout(Duration.ofSeconds(1)).grace(LONG));
            assertThat(outcome.out()).isEqualTo("clean\n");
            assertThat(outcome.completion().termination()).isEqualTo(Termination.TIMED_OUT);
            assertThat(outcome.completion().status()).isEqualTo(ExitStatus.exited(7));
        }
    }

    @Test
    void backgroundChildThatHoldsThePipeIsEnded() {
        try (NativeProcess process = Children.start(Children.shell("sleep 1000 & echo $!"))) {
            Children.Outcome outcome =
                    Children.exchange(process, Exchange.builder().drain(SHORT));
            assertThat(outcome.completion())
                    .isEqualTo(new Completion(ExitStatus.exited(0), Termination.EXITED, Leftovers.ENDED));
            assertThat(isRunning(outcome.out().strip())).isFalse();
        }
    }

    @Test
    void daemonThatLeftTheSessionAndClosedItsPipesIsEnded() {
        String daemon = "setsid sh -c 'sleep 1000 >/dev/null 2>&1 </dev/null & echo $!' & wait";
        Children.Outcome outcome = Children.run(Children.shell(daemon));
        assertThat(outcome.completion().leftovers()).isEqualTo(Leftovers.ENDED);
        assertThat(outcome.out()).isNotBlank();
        assertThat(isRunning(outcome.out().strip())).isFalse();
    }

    @Test
    void stoppedDaemonIsEnded() {
        String daemon = "setsid sh -c 'echo $$; kill -STOP $$' & until grep -q 'State:.T' /proc/$!/status; do :; done";
        try (NativeProcess process = Children.start(Children.shell(daemon))) {
            Children.Outcome outcome =
                    Children.exchange(process, Exchange.builder().drain(SHORT));
            assertThat(outcome.completion().leftovers()).isEqualTo(Leftovers.ENDED);
            assertThat(isRunning(outcome.out().strip())).isFalse();
        }
    }

    @Test
    void descendantWithAnEmptyEnvironmentDiesWithItsParentsOnTimeout() {
        String hiding = "env -i /usr/bin/setsid /bin/sleep 1000 & "
                + "until grep -q sleep /proc/$!/comm; do :; done; echo $!; wait";
        try (NativeProcess process = Children.start(Children.shell(hiding))) {
            Children.Outcome outcome = Children.exchange(
                    process, Exchange.builder().timeout(Duration.ofSeconds(2)).grace(Duration.ZERO));
            assertThat(outcome.completion().termination()).isEqualTo(Termination.TIMED_OUT);
            assertThat(isRunning(outcome.out().strip())).isFalse();
        }
    }

    private static boolean isRunning(String pid) {
        try {
            return !Files.readString(Path.of("/proc", pid, "stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void interruptEndsTheRunAndTheFlagStays() {
        try (NativeProcess process = Children.start(Children.shell("echo ready; sleep 1000"))) {
            Thread caller = Thread.currentThread();
            Completion completion = process.exchange(Exchange.builder()
                    .stdout((buffer, offset, length) -> {
                        caller.interrupt();
                        return Demand.MORE;
                    })
                    .stderr((buffer, offset, length) -> Demand.MORE)
                    .build());
            assertThat(Thread.interrupted()).isTrue();
            assertThat(completion.termination()).isEqualTo(Termination.CANCELLED);
            assertThat(completion.status()).isEqualTo(ExitStatus.signaled(15));
        }
    }

    @Test
    void cancelFromAnotherThreadEndsTheRun() throws InterruptedException {
        try (NativeProcess process = Children.start(Children.shell("sleep 1000"))) {
            Thread canceller = new Thread(process::cancel);
            canceller.start();
            Completion completion =
                    Children.exchange(process, Exchange.builder()).completion();
            canceller.join();
            assertThat(completion.termination()).isEqualTo(Termination.CANCELLED);
        }
    }

    @Test
    void outputLimitEndsTheRun() {
        try (NativeProcess process = Children.start(Children.shell("trap '' TERM; yes"))) {
            AtomicLong calls = new AtomicLong();
            Completion completion = process.exchange(Exchange.builder()
                    .stdout((buffer, offset, length) -> {
                        calls.incrementAndGet();
                        return Demand.END_RUN;
                    })
                    .stderr((buffer, offset, length) -> Demand.MORE)
                    .build());
            assertThat(completion.termination()).isEqualTo(Termination.OUTPUT_LIMIT);
            assertThat(calls).hasValue(1);
        }
    }

    @Test
    void throwingSinkEndsTheRun() {
        NativeProcess process = Children.start(Children.shell("echo x; sleep 1000"));
        assertThatThrownBy(() -> process.exchange(Exchange.builder()
                        .stdout((buffer, offset, length) -> {
                            throw new ArithmeticException("sink");
                        })
                        .stderr((buffer, offset, length) -> Demand.MORE)
                        .build()))
                .hasMessage("sink");
        assertThat(Path.of("/proc/" + process.pid())).doesNotExist();
    }

    @Test
    void streamsCarryBytesBothWays() throws IOException, InterruptedException {
        try (NativeProcess process =
                Children.start(Children.shell("cat; echo err >&2").stdin(Stdio.PIPE))) {
            try (OutputStream stdin = process.stdin()) {
                stdin.write("hello".getBytes(StandardCharsets.UTF_8));
            }
            assertThat(process.stdout().readAllBytes()).asString().isEqualTo("hello");
            assertThat(process.stderr().readAllBytes()).asString().isEqualTo("err\n");
            assertThat(process.waitFor(LONG)).contains(ExitStatus.exited(0));
            assertThat(process.waitFor(Duration.ZERO)).contains(ExitStatus.exited(0));
        }
    }

    @Test
    void waitingForALiveChildGivesNothing() throws InterruptedException {
        try (NativeProcess process = Children.start(Children.shell("sleep 1000"))) {
            assertThat(process.waitFor(Duration.ZERO)).isEmpty();
            process.destroyTree();
            assertThat(process.waitFor(LONG)).contains(ExitStatus.signaled(9));
            process.close();
            process.close();
            process.cancel();
            process.destroyTree();
            assertThat(process.waitFor(LONG)).contains(ExitStatus.signaled(9));
        }
    }

    @Test
    void writingToADeadChildIsAnIoException() throws IOException, InterruptedException {
        try (NativeProcess process =
                        Children.start(Children.program("/bin/true").stdin(Stdio.PIPE));
                OutputStream stdin = process.stdin()) {
            process.waitFor(LONG);
            assertThatThrownBy(() -> stdin.write(new byte[10]))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("EPIPE");
        }
    }

    @Test
    void exchangeClosesAnInputThatNobodyFeeds() {
        assertThat(Children.run(Children.shell("cat; echo end").stdin(Stdio.PIPE))
                        .out())
                .isEqualTo("end\n");
    }

    @Test
    void nullStreamsAreEmpty() throws IOException {
        try (NativeProcess process = Children.start(Children.shell("cat; echo lost; echo lost >&2")
                .stdout(Stdio.NULL)
                .stderr(Stdio.NULL))) {
            assertThat(process.stdout().readAllBytes()).isEmpty();
            assertThat(process.stderr().readAllBytes()).isEmpty();
            assertThatThrownBy(() -> process.stdin().write(1)).isInstanceOf(IOException.class);
            assertThat(Children.exchange(process, Exchange.builder()).code()).isZero();
        }
    }

    /** By the end of the stream or by an exception, whichever comes first. */
    @Test
    void closeEndsAWaitingRead() throws InterruptedException {
        try (NativeProcess process = Children.start(Children.shell("sleep 1000"))) {
            AtomicReference<Object> end = new AtomicReference<>();
            Thread reader = new Thread(() -> {
                try {
                    end.set(process.stdout().read());
                } catch (IOException e) {
                    end.set("closed");
                }
            });
            reader.start();
            process.close();
            reader.join();
            assertThat(end.get()).isIn(-1, "closed");
        }
    }

    @Test
    void manyRunsLeakNothing() throws IOException {
        Children.run(Children.program("/bin/true"));
        long fds = count("/proc/self/fd");
        for (int i = 0; i < 300; i++) {
            Children.run(Children.program("/bin/true"));
        }
        // Fewer when the collector has closed one of an earlier test.
        assertThat(count("/proc/self/fd")).isLessThanOrEqualTo(fds);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("sandbox-confined"));
        try (ProcessTable table = new ProcessTable()) {
            int self = (int) ProcessHandle.current().pid();
            assertThat(table.entries()).noneMatch(entry -> entry.parent() == self && !entry.alive());
        }
    }

    private static long count(String directory) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            return files.count();
        }
    }
}
