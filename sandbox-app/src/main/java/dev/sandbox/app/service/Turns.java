package dev.sandbox.app.service;

import dev.sandbox.domain.problem.SandboxBusyException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whose turn it is: at most so many steps at once, at most so many that wait, none longer than the patience; the rest is refused
 * at once. First come, first served. Thread-safe.
 */
public final class Turns {
    private final int most;
    private final int mostWaiting;
    private final Duration patience;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Turns.
     *
     * @param most steps at once
     * @param mostWaiting that wait for one to end
     * @param patience how long one waits
     */
    public Turns(int most, int mostWaiting, Duration patience) {
        this.most = most;
        this.mostWaiting = mostWaiting;
        this.patience = patience;
        this.free = new Semaphore(most, true);
    }

    /** The right to run one step; given back once. */
    public interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Waits for a turn.
     *
     * @throws SandboxBusyException when too many wait already, or none ended in time
     * @throws SandboxUnavailableException when the service ends
     */
    public Turn take() {
        requireOpen();
        if (!free.tryAcquire()) {
            await();
        }
        AtomicBoolean taken = new AtomicBoolean(true);
        Turn turn = () -> {
            if (taken.compareAndSet(true, false)) {
                free.release();
            }
        };
        if (closed) {
            turn.close();
            requireOpen();
        }
        return turn;
    }

    private void await() {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            throw new SandboxBusyException(most + " steps run and " + mostWaiting + " wait");
        }
        try {
            if (!free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SandboxBusyException(
                        "none of " + most + " steps ended within " + patience.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SandboxBusyException("interrupted while waiting for a turn");
        } finally {
            waiting.decrementAndGet();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new SandboxUnavailableException("", "the server is shutting down", "try again later");
        }
    }

    /** No more turns. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Those that run and wait, per one that may run. */
    double saturation() {
        return (double) (running() + waiting()) / most;
    }

    /** Waits until none is taken; false when the time passed first. */
    boolean awaitIdle(Duration time) {
        try {
            boolean idle = free.tryAcquire(most, Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS);
            if (idle) {
                free.release(most);
            }
            return idle;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** How many run. */
    public int running() {
        return most - free.availablePermits();
    }

    /** How many wait. */
    public int waiting() {
        return waiting.get();
    }
}
