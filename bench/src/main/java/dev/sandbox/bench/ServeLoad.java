package dev.sandbox.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many clients at once on a running {@code sandbox serve}: {@code ServeLoad URL [CLIENTS] [SECONDS]}. Each sends the next request
 * when it has the answer to the last. Prints how many of each status, the latencies of what ran and of what was refused, and what the
 * server holds before and after. Exit code 1 when anything but 200 and 429 was answered.
 */
public final class ServeLoad {
    private static final String BODY = "{\"command\":\"true\"}";
    private static final String[] HELD = {"process_files_open_files", "jvm_threads_live_threads", "sandbox_steps_live"};

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI url;
    private final Map<Integer, Queue<Long>> micros = new ConcurrentSkipListMap<>();
    private final AtomicInteger broken = new AtomicInteger();

    private ServeLoad(URI url) {
        this.url = url;
    }

    /** Runs. */
    public static void main(String[] arguments) throws Exception {
        ServeLoad load = new ServeLoad(URI.create(arguments[0]));
        int clients = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
        int seconds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 60;
        load.run(clients, Duration.ofSeconds(2));
        load.micros.clear();
        System.out.println("before: " + load.held());
        load.run(clients, Duration.ofSeconds(seconds));
        System.out.println("after:  " + load.held());
        load.micros.forEach(ServeLoad::print);
        boolean good = load.broken.get() == 0 && load.micros.keySet().stream().allMatch(s -> s == 200 || s == 429);
        System.out.println("broken connections: " + load.broken + (good ? "; only 200 and 429" : "; NOT GOOD"));
        System.exit(good ? 0 : 1);
    }

    private void run(int clients, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        CountDownLatch done = new CountDownLatch(clients);
        for (int i = 0; i < clients; i++) {
            next(end, done);
        }
        done.await();
    }

    private void next(long end, CountDownLatch done) {
        long start = System.nanoTime();
        if (start > end) {
            done.countDown();
            return;
        }
        HttpRequest request = HttpRequest.newBuilder(url.resolve("/api/execute"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(BODY))
                .build();
        CompletableFuture<?> unused = client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .whenComplete((answer, problem) -> {
                    if (problem != null) {
                        if (broken.getAndIncrement() == 0) {
                            System.out.println("the first broken connection: " + problem);
                        }
                    } else {
                        micros.computeIfAbsent(answer.statusCode(), status -> new ConcurrentLinkedQueue<>())
                                .add((System.nanoTime() - start) / 1000);
                    }
                    next(end, done);
                });
    }

    private Map<String, String> held() throws IOException, InterruptedException {
        String metrics = client.send(
                        HttpRequest.newBuilder(url.resolve("/metrics")).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        Map<String, String> held = new TreeMap<>();
        metrics.lines()
                .filter(line -> Arrays.stream(HELD).anyMatch(line::startsWith))
                .map(line -> line.split(" "))
                .forEach(line -> held.put(line[0], line[1]));
        double heap = metrics.lines()
                .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
        held.put("heap_mib", String.valueOf(Math.round(heap / (1 << 20))));
        return held;
    }

    private static void print(int status, Queue<Long> all) {
        long[] sorted = all.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.printf(
                "%d: %d answers, p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n",
                status,
                sorted.length,
                sorted[sorted.length / 2] / 1000.0,
                sorted[(int) (sorted.length * 0.99)] / 1000.0,
                sorted[sorted.length - 1] / 1000.0);
    }
}
