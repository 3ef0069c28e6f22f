package dev.sandbox.bench;

import com.google.inject.Guice;
import dev.sandbox.core.SandboxModule;
import dev.sandbox.docker.DockerModule;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.landlock.LandlockModule;
import dev.sandbox.mountns.MountNamespaceModule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Many runs at once, of every outcome; prints what they cost and left. Arguments: runs (5000), at once (50), backend (landlock), the
 * image (for docker). Exits with 1 when a result was wrong, something leaked, or memory outside the Java heap grew. What the heap takes
 * between two collections is the collector's to decide: a bound on it, such as {@code -Xmx64m}, bounds the whole.
 */
public final class Soak {
    private static final int MANY = 100_000;
    private static final int ROUNDS = 5;
    private static final OutputSink NOWHERE = (buffer, offset, length) -> OutputSink.Demand.MORE;

    private static final long MIB = 1 << 20;
    private static final long MEMORY_LIMIT = 100 * MIB;

    private final SandboxSession patient;
    private final SandboxSession hasty;
    private final SandboxSession small;
    private final Map<String, Integer> seen = new ConcurrentSkipListMap<>();
    private final AtomicInteger wrong = new AtomicInteger();
    private final List<Case> cases = List.of(
            new Case("exit code", Soak::exitCode),
            new Case("signal", Soak::signal),
            new Case("timeout", Soak::timeout),
            new Case("large output", Soak::largeOutput),
            new Case("input", Soak::input),
            new Case("not found", Soak::notFound),
            new Case("not executable", Soak::notExecutable),
            new Case("daemon", Soak::daemon),
            new Case("output limit", Soak::outputLimit),
            new Case("cancel", Soak::cancel),
            new Case("memory limit", Soak::memoryLimit),
            new Case("denial", Soak::denial));

    private record Case(String name, Run run) {}

    /** One run of a case; whether its result was right. */
    @FunctionalInterface
    private interface Run {
        boolean isRight(Soak soak, int number);
    }

    private Soak(SandboxSession patient, SandboxSession hasty, SandboxSession small) {
        this.patient = patient;
        this.hasty = hasty;
        this.small = small;
    }

    /** Runs and exits. */
    public static void main(String[] arguments) throws Exception {
        int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5000;
        int atOnce = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 50;
        BackendName backend = arguments.length > 2 ? BackendName.of(arguments[2]) : BackendName.LANDLOCK;
        Path folder = Files.createTempDirectory("soak").toRealPath();
        Files.writeString(Files.createDirectory(folder.resolve("work")).resolve("plain"), "no program");
        Files.writeString(folder.resolve("secret"), "secret");
        SandboxPolicy.Builder common = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .workDir("work")
                .addWritePaths("work")
                .backend(backend);
        if (arguments.length > 3) {
            common.image(arguments[3]);
        }
        Sandbox sandbox = Guice.createInjector(
                        new SandboxModule(new LandlockModule(), new MountNamespaceModule(), new DockerModule()))
                .getInstance(Sandbox.class);
        Limits.Builder minutes = Limits.builder().timeout(Duration.ofMinutes(5));
        boolean right;
        try (SandboxSession patient =
                        sandbox.open(common.limits(minutes.build()).build());
                SandboxSession small = sandbox.open(
                        common.limits(minutes.memory(MEMORY_LIMIT).build()).build());
                SandboxSession hasty = sandbox.open(common.limits(
                                Limits.builder().timeout(Duration.ofMillis(300)).build())
                        .build())) {
            right = new Soak(patient, hasty, small).run(runs, atOnce);
        }
        System.exit(right ? 0 : 1);
    }

    private boolean run(int runs, int atOnce) throws Exception {
        cases.forEach(each -> each.run().isRight(this, 1));
        Footprint first = Footprint.now("before");
        Footprint warm = first;
        long start = System.nanoTime();
        for (int round = 1; round <= ROUNDS; round++) {
            ExecutorService threads = Executors.newFixedThreadPool(atOnce);
            for (int i = 0; i < runs / ROUNDS; i++) {
                int number = i;
                threads.execute(() -> one(number));
            }
            threads.shutdown();
            threads.awaitTermination(1, TimeUnit.HOURS);
            Footprint now = Footprint.now("after round " + round);
            warm = round == 1 ? now : warm;
        }
        Footprint last = Footprint.now("at the end");
        System.out.printf(
                "%d runs, %d at once, %s: %.1f s; %s; wrong: %d%n",
                runs, atOnce, patient.backend().backend().id(), (System.nanoTime() - start) / 1e9, seen, wrong.get());
        return wrong.get() == 0 && last.leaksNothingSince(isDocker() ? warm : first) && last.isAsSmallAs(warm);
    }

    /** Its connections stay open for a while and are used again. */
    private boolean isDocker() {
        return patient.backend().backend().equals(BackendName.DOCKER);
    }

    private void one(int number) {
        Case chosen = cases.get(number % cases.size());
        seen.merge(chosen.name(), 1, Integer::sum);
        boolean right;
        try {
            right = chosen.run().isRight(this, number);
        } catch (RuntimeException e) {
            System.out.println(chosen.name() + ": " + e);
            right = false;
        }
        if (!right) {
            wrong.incrementAndGet();
            System.out.println("wrong: " + chosen.name());
        }
    }

    private boolean exitCode(int number) {
        ExecutionResult result = patient.run(Command.shell("echo " + number + "; exit " + number % 256));
        return result.exitCode() == number % 256
                && result.stdout().equals(number + "\n")
                && result.termination() == Termination.EXITED;
    }

    private boolean signal(int number) {
        int signal = number % 2 == 0 ? 9 : 15;
        return patient.run(Command.shell("kill -" + signal + " $$")).exitCode() == 128 + signal;
    }

    private boolean timeout(int number) {
        ExecutionResult result = hasty.run(Command.shell("echo " + number + " >&2; sleep 1000"));
        return result.termination() == Termination.TIMED_OUT && result.exitCode() == 124;
    }

    private boolean largeOutput(int number) {
        int length = MANY + number;
        return patient.run(Command.of("head", "-c", String.valueOf(length), "/dev/zero"))
                        .stdout()
                        .length()
                == length;
    }

    private boolean input(int number) {
        String text = "line " + number + "\n";
        byte[] bytes = text.repeat(1000).getBytes(StandardCharsets.UTF_8);
        return patient.run(Command.of("cat"), new ByteArrayInputStream(bytes))
                .stdout()
                .equals(text.repeat(1000));
    }

    private boolean notFound(int number) {
        return patient.run(Command.of("no-such-program-" + number)).exitCode() == 127;
    }

    private boolean notExecutable(int number) {
        return patient.run(Command.of("./plain", String.valueOf(number))).exitCode() == 126;
    }

    private boolean daemon(int number) {
        ExecutionResult result =
                patient.run(Command.shell("setsid sleep 1000 >/dev/null 2>&1 & echo " + number + "; exit 0"));
        return result.exitCode() == 0 && result.stdout().equals(number + "\n");
    }

    private boolean outputLimit(int number) {
        AtomicLong left = new AtomicLong(MANY + number);
        ExecutionResult result = patient.run(
                StepRequest.piped(Command.shell("while :; do echo much; done")),
                (buffer, offset, length) ->
                        left.addAndGet(-length) > 0 ? OutputSink.Demand.MORE : OutputSink.Demand.END_RUN,
                NOWHERE);
        return result.termination() == Termination.OUTPUT_LIMIT;
    }

    private boolean cancel(int number) {
        Command command = Command.shell("echo " + number + "; sleep 1000");
        try (SandboxedProcess process = patient.start(StepRequest.piped(command))) {
            OutputSink atFirstWord = (buffer, offset, length) -> {
                process.cancel();
                return OutputSink.Demand.MORE;
            };
            return process.exchange(Exchange.builder()
                                    .stdout(atFirstWord)
                                    .stderr(NOWHERE)
                                    .build())
                            .termination()
                    == Termination.CANCELLED;
        }
    }

    /** Two processes of which each is small enough; a container is ended by one, when that is what the shell waits for. */
    private boolean memoryLimit(int number) {
        String hold = "{ head -c 70000000 /dev/zero; sleep 1000; } | tail -c 70000000 & ";
        String command = small.backend().backend().equals(BackendName.DOCKER)
                ? "head -c 200000000 /dev/zero | tail -c 200000000; exit $?"
                : hold + hold + "wait; exit " + number % 2;
        ExecutionResult result = small.run(Command.shell(command));
        return result.termination() == Termination.MEMORY_LIMIT
                || (small.backend().backend().equals(BackendName.DOCKER) && result.exitCode() == 137);
    }

    /** With Landlock it may not be read, which is told; in a file system of the step's own it is not there. */
    private boolean denial(int number) {
        ExecutionResult result = patient.run(Command.shell("cat ../secret; exit " + (number % 2 + 1)));
        boolean told = !patient.backend().backend().equals(BackendName.LANDLOCK)
                || !result.denials().isEmpty();
        return result.stdout().isEmpty() && result.exitCode() == number % 2 + 1 && told;
    }

    /** {@code rest} is what is resident beside the Java heap: code, stacks, and what native calls allocate. */
    private record Footprint(long heap, long rest, long descriptors, int threads, long children) {
        private static final long SLACK_KIB = 32 * 1024;

        static Footprint now(String when) throws IOException {
            System.gc();
            MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
            long resident = resident();
            Footprint now;
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
                now = new Footprint(
                        heap.getUsed() >> 10,
                        resident - (heap.getCommitted() >> 10),
                        descriptors.count(),
                        Thread.getAllStackTraces().size(),
                        ProcessHandle.current().descendants().count());
            }
            System.out.printf(
                    "%s: resident %d MiB (heap %d MiB of which used %d, the rest %d), descriptors %d, threads %d, child processes %d%n",
                    when,
                    resident >> 10,
                    heap.getCommitted() >> 20,
                    now.heap >> 10,
                    now.rest >> 10,
                    now.descriptors,
                    now.threads,
                    now.children);
            return now;
        }

        private static long resident() throws IOException {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }

        boolean leaksNothingSince(Footprint before) {
            return descriptors <= before.descriptors && threads <= before.threads && children <= before.children;
        }

        boolean isAsSmallAs(Footprint before) {
            return rest <= before.rest + SLACK_KIB && heap <= before.heap + SLACK_KIB;
        }
    }
}
