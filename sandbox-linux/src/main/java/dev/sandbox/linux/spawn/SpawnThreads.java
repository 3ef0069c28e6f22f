package dev.sandbox.linux.spawn;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait in the kernel while a child is prepared. Platform threads, since a virtual one would hold its carrier; few,
 * since a spawn takes a millisecond of a processor.
 */
final class SpawnThreads {
    /** So many may hang before others have to wait. */
    private static final int MOST = 64;

    private static final int MOST_LOST = 64;
    private static final long IDLE_SECONDS = 20;
    private static final long STACK_BYTES = 256 * 1024;
    private static final SpawnThreads OF_THIS_JVM = new SpawnThreads();

    private final AtomicInteger number = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final ThreadPoolExecutor executor;

    private SpawnThreads() {
        WaitingTasks tasks = new WaitingTasks();
        executor = new ThreadPoolExecutor(
                0, MOST, IDLE_SECONDS, TimeUnit.SECONDS, tasks, this::thread, (task, full) -> tasks.put(task));
    }

    /** A task goes to a thread that has nothing to do; else a new thread takes it; else, when there are enough, it waits. */
    private static final class WaitingTasks extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }
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
        }
        return now;
    }
}
