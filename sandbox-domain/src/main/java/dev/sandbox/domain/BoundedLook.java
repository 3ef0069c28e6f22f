package dev.sandbox.domain;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Looks at the host for no longer than a bound. Who looks at a file whose server does not answer (NFS, FUSE) waits in the kernel, and no
 * interrupt ends that; so a thread of its own looks, and is given up when it does not come back. Thread-safe.
 */
final class BoundedLook {
    /** Given up and still waiting. Beyond that, nothing is looked at any more: each holds a thread. */
    static final int MOST_LOST = 32;

    private final LongSupplier nanoTime;
    private final Duration bound;
    private final AtomicInteger lost = new AtomicInteger();
    /** Each look has a thread at once; one that comes back is used again, for a thread costs more than a look. */
    private final ExecutorService threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 100, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), BoundedLook::thread);

    BoundedLook(LongSupplier nanoTime, Duration bound) {
        this.nanoTime = nanoTime;
        this.bound = bound;
    }

    /**
     * What a look finds. It changes nothing, for it may end when nobody waits for it any more.
     *
     * @throws SandboxUnavailableException when it takes longer than the bound
     */
    <T> T take(Supplier<T> look) {
        if (lost.get() >= MOST_LOST) {
            throw refusal(lost.get() + " earlier looks at this host's files still wait for an answer");
        }
        CompletableFuture<T> found = new CompletableFuture<>();
        threads.execute(() -> complete(found, look));
        try {
            return await(found);
        } catch (TimeoutException e) {
            lost.incrementAndGet();
            CompletableFuture<Integer> unused = found.handle((result, failure) -> lost.decrementAndGet());
            throw refusal("looking at the policy's paths takes longer than " + bound.toMillis() / 1000.0 + " s");
        }
    }

    private static Thread thread(Runnable look) {
        Thread thread = new Thread(look, "sandbox-look");
        thread.setDaemon(true);
        return thread;
    }

    private static <T> void complete(CompletableFuture<T> found, Supplier<T> look) {
        try {
            found.complete(look.get());
        } catch (RuntimeException | Error e) {
            found.completeExceptionally(e);
        }
    }

    /** Uninterruptibly, as looking itself is; who waits next sees the interrupt. */
    private <T> T await(CompletableFuture<T> found) throws TimeoutException {
        boolean interrupted = false;
        long end = nanoTime.getAsLong() + bound.toNanos();
        try {
            while (true) {
                try {
                    return found.get(Math.max(0, end - nanoTime.getAsLong()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw unchecked(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException unchecked(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }

    private static SandboxUnavailableException refusal(String what) {
        return new SandboxUnavailableException(
                "policy",
                what + "; nothing ran",
                "a file server behind one of them may not answer: see mount(8), and leave its paths out");
    }
}
