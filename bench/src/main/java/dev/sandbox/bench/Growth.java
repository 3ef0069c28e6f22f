package dev.sandbox.bench;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How the cost grows with what is asked for: {@code Growth [landlock|mountns]}. Prints milliseconds for more grants and blocks, the rate
 * of output that is passed through, steps a second for more at once beside bare children, and the steps of one long session.
 */
public final class Growth {
    private static final Command TRUE = Command.of("/bin/true");
    private static final int TIMES = 5;
    private static final int MOST_GRANTS = 10_000;

    private final BackendName backend;
    private final Sandbox sandbox = Sandboxes.standard();
    private final Path folder;
    private final Children children = new Children();

    private Growth(String backend) throws IOException {
        this.backend = BackendName.of(backend);
        folder = Files.createTempDirectory(Path.of("/var/tmp"), "growth").toRealPath();
        Files.createDirectory(folder.resolve("w"));
        for (int i = 0; i < MOST_GRANTS; i++) {
            Files.createFile(folder.resolve("w/f" + i));
        }
    }

    /** Runs. */
    public static void main(String[] arguments) throws Exception {
        Growth growth = new Growth(arguments.length > 0 ? arguments[0] : "landlock");
        System.out.println(growth.backend);
        for (int grants : new int[] {1, 10, 100, 1_000, MOST_GRANTS}) {
            growth.files(grants, false);
        }
        if (growth.backend.equals(BackendName.MOUNTNS)) {
            for (int blocks : new int[] {1, 10, 100, 1_000, 5_000}) {
                growth.files(blocks, true);
            }
        }
        for (long bytes : new long[] {1 << 20, 100L << 20, 1L << 30}) {
            growth.output(bytes);
        }
        for (int atOnce : new int[] {1, 10, 50, 200}) {
            growth.atOnce(atOnce);
        }
        growth.longSession(10_000);
        System.exit(0);
    }

    private SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(folder.toString()))
                .backend(backend);
    }

    private static void check(ExecutionResult result) {
        if (result.exitCode() != 0) {
            throw new IllegalStateException(result.toString());
        }
    }

    private void files(int count, boolean blocked) {
        SandboxPolicy.Builder policy = policy();
        if (blocked) {
            policy.addWritePaths("w");
        }
        for (int i = 0; i < count; i++) {
            String file = "w/f" + i;
            if (blocked) {
                policy.addBlockedPaths(file);
            } else {
                policy.addReadPaths(file);
            }
        }
        SandboxPolicy built = policy.build();
        double[] prepared = new double[TIMES];
        double[] again = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            long start = System.nanoTime();
            try (SandboxSession session = sandbox.open(built)) {
                check(session.run(TRUE));
                prepared[i] = millisSince(start);
                start = System.nanoTime();
                check(session.run(TRUE));
                again[i] = millisSince(start);
            }
        }
        System.out.printf(
                "%6d %s: the first step %9.2f ms, the next %9.2f ms%n",
                count, blocked ? "blocks" : "grants", median(prepared), median(again));
    }

    private void output(long bytes) {
        long[] seen = new long[1];
        OutputSink count = (buffer, offset, length) -> {
            seen[0] += length;
            return OutputSink.Demand.MORE;
        };
        try (SandboxSession session = sandbox.open(policy().build())) {
            long start = System.nanoTime();
            check(session.run(
                    StepRequest.piped(Command.of("/usr/bin/head", "-c", "" + bytes, "/dev/zero")), count, count));
            double millis = millisSince(start);
            if (seen[0] != bytes) {
                throw new IllegalStateException(seen[0] + " bytes of " + bytes);
            }
            System.out.printf("%6d MiB of output: %.0f MB/s%n", bytes >> 20, bytes / 1e3 / millis);
        }
    }

    private void atOnce(int threads) throws Exception {
        try (SandboxSession session = sandbox.open(policy().build())) {
            double bare = throughput(threads, () -> children.run(List.of("/bin/true")));
            double ours = throughput(threads, () -> {
                ExecutionResult result = session.run(TRUE);
                check(result);
                return result;
            });
            System.out.printf(
                    "%6d at once: %.0f steps a second, bare %.0f: %.0f %%%n", threads, ours, bare, 100 * ours / bare);
        }
    }

    private static double throughput(int threads, Callable<?> step) throws Exception {
        int each = Math.max(5, 2_000 / threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            double best = 0;
            for (int round = 0; round < 3; round++) {
                List<Future<?>> all = new ArrayList<>();
                long start = System.nanoTime();
                for (int i = 0; i < threads; i++) {
                    all.add(pool.submit(() -> {
                        for (int j = 0; j < each; j++) {
                            step.call();
                        }
                        return each;
                    }));
                }
                for (Future<?> one : all) {
                    one.get();
                }
                best = Math.max(best, 1000.0 * threads * each / millisSince(start));
            }
            return best;
        } finally {
            pool.shutdown();
        }
    }

    private void longSession(int steps) {
        double[] millis = new double[steps];
        try (SandboxSession session = sandbox.open(policy().build())) {
            for (int i = 0; i < steps; i++) {
                long start = System.nanoTime();
                check(session.run(TRUE));
                millis[i] = millisSince(start);
            }
        }
        System.out.printf(
                "a session of %d steps: the first thousand p50 %.2f ms, the last %.2f ms%n",
                steps, median(Arrays.copyOf(millis, 1_000)), median(Arrays.copyOfRange(millis, steps - 1_000, steps)));
    }

    private static double millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e6;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
