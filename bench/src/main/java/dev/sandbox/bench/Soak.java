package dev.sandbox.bench;

import com.google.inject.Guice;
import dev.sandbox.app.wiring.SandboxModule;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.landlock.LandlockModule;
import dev.sandbox.mountns.MountNamespaceModule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Many runs at once, of every outcome; prints what they cost and left. Arguments: runs (5000), at once (50), backend (landlock). Exits
 * with 1 when a result was wrong or something leaked.
 */
public final class Soak {
    private static final int MANY = 100_000;
    private static final int ROUNDS = 5;

    private final SandboxSession patient;
    private final SandboxSession hasty;
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
            new Case("daemon", Soak::daemon));

    private record Case(String name, Run run) {}

    /** One run of a case; whether its result was right. */
    @FunctionalInterface
    private interface Run {
        boolean isRight(Soak soak, int number);
    }

    private Soak(SandboxSession patient, SandboxSession hasty) {
        this.patient = patient;
        this.hasty = hasty;
    }

    /** Runs and exits. */
    public static void main(String[] arguments) throws Exception {
        int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5000;
        int atOnce = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 50;
        BackendName backend = arguments.length > 2
                ? BackendName.valueOf(arguments[2].toUpperCase(Locale.ROOT))
                : BackendName.LANDLOCK;
        Path folder = Files.createTempDirectory("soak").toRealPath();
        Sandbox sandbox = Guice.createInjector(new SandboxModule(new LandlockModule(), new MountNamespaceModule()))
                .getInstance(Sandbox.class);
        try (SandboxSession patient = sandbox.open(policy(folder, backend, Duration.ofMinutes(5)));
                SandboxSession hasty = sandbox.open(policy(folder, backend, Duration.ofMillis(300)))) {
            System.exit(new Soak(patient, hasty).run(runs, atOnce) ? 0 : 1);
        }
    }

    private static SandboxPolicy policy(Path folder, BackendName backend, Duration timeout) {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .addWritePaths(".")
                .backend(backend)
                .limits(Limits.builder().timeout(timeout).build())
                .build();
    }

    private boolean run(int runs, int atOnce) throws Exception {
        cases.forEach(each -> each.run().isRight(this, 1));
        Footprint first = Footprint.now("before");
        long start = System.nanoTime();
        for (int round = 1; round <= ROUNDS; round++) {
            ExecutorService threads = Executors.newFixedThreadPool(atOnce);
            for (int i = 0; i < runs / ROUNDS; i++) {
                int number = i;
                threads.execute(() -> one(number));
            }
            threads.shutdown();
            threads.awaitTermination(1, TimeUnit.HOURS);
            Footprint.now("after round " + round);
        }
        Footprint last = Footprint.now("at the end");
        System.out.printf(
                "%d runs, %d at once, %s: %.1f s; %s; wrong: %d%n",
                runs, atOnce, patient.backend().backend().id(), (System.nanoTime() - start) / 1e9, seen, wrong.get());
        return wrong.get() == 0 && last.leaksNothingSince(first);
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
        return patient.run(Command.of("/etc/passwd", String.valueOf(number))).exitCode() == 126;
    }

    private boolean daemon(int number) {
        ExecutionResult result =
                patient.run(Command.shell("setsid sleep 1000 >/dev/null 2>&1 & echo " + number + "; exit 0"));
        return result.exitCode() == 0 && result.stdout().equals(number + "\n");
    }

    private record Footprint(long heap, long descriptors, int threads, long children) {
        static Footprint now(String when) throws IOException {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            Footprint now;
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
                now = new Footprint(
                        (runtime.totalMemory() - runtime.freeMemory()) >> 10,
                        descriptors.count(),
                        Thread.getAllStackTraces().size(),
                        ProcessHandle.current().descendants().count());
            }
            String resident = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS"))
                    .findFirst()
                    .orElse("");
            System.out.printf(
                    "%s: heap %d KiB, descriptors %d, threads %d, child processes %d, %s%n",
                    when, now.heap, now.descriptors, now.threads, now.children, resident.replaceAll("\\s+", " "));
            return now;
        }

        boolean leaksNothingSince(Footprint before) {
            return descriptors <= before.descriptors && threads <= before.threads && children <= before.children;
        }
    }
}
