package dev.sandbox.linux.spawn;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait in the kernel while a child is prepared. Platform threads, since a virtual one would hold its carrier; few,
 * since a spawn takes a millisecond of a processor.
 */
final class SpawnThreads {
    private static final int LEAST = 4;
    private static final int MOST_LOST = 64;
    private static final long IDLE_SECONDS = 20;
    private static final long STACK_BYTES = 256 * 1024;
    private static final SpawnThreads OF_THIS_JVM = new SpawnThreads();

    private final AtomicInteger number = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final ThreadPoolExecutor executor;

    private SpawnThreads() {
        int size = Math.max(LEAST, 2 * Runtime.getRuntime().availableProcessors());
        executor = new ThreadPoolExecutor(
                size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread);
        executor.allowCoreThreadTimeOut(true);
    }

    static SpawnThreads ofThisJvm() {
        return OF_THIS_JVM;
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "sandbox-spawn-" + number.incrementAndGet(), STACK_BYTES, false);
        thread.setDaemon(true);
        return thread;
    }

    <T> Future<T> submit(Callable<T> task, ProgramImage image) {
        try {
            return executor.submit(task);
        } catch (RuntimeException | Error e) {
            image.close();
            throw e;
        }
    }

    /** Gives one up: another takes its place, as long as that has an end. How many there are now. */
    synchronized int lost() {
        int now = lost.incrementAndGet();
        if (now <= MOST_LOST) {
            executor.setMaximumPoolSize(executor.getMaximumPoolSize() + 1);
            executor.setCorePoolSize(executor.getCorePoolSize() + 1);
        }
        return now;
    }
}
