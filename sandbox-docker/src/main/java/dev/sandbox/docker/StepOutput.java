package dev.sandbox.docker;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a step prints, between the thread that reads it from the engine and whoever takes it. Bounded: when nobody takes, the
 * reader waits, then the engine, then the step.
 */
final class StepOutput {
    private static final int CAPACITY = 1024 * 1024;

    /** Which stream. */
    enum Channel {
        STDOUT,
        STDERR
    }

    /** Some bytes of one stream; handed over, not copied. */
    @SuppressWarnings("ArrayRecordComponent")
    record Chunk(Channel channel, byte[] bytes) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private final BytePipe stdout = new BytePipe();
    private final BytePipe stderr = new BytePipe();
    private int pending;
    private boolean ended;
    private boolean streaming;
    private boolean discarding;
    private boolean woken;

    /** From the reader. */
    void put(Channel channel, byte[] bytes) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (pending >= CAPACITY && !discarding && !streaming) {
                changed.await();
            }
            if (discarding) {
                return;
            }
            if (!streaming) {
                chunks.add(new Chunk(channel, bytes));
                pending += bytes.length;
                changed.signalAll();
                return;
            }
        } finally {
            lock.unlock();
        }
        pipe(channel).put(bytes);
    }

    /** From the reader: nothing more comes. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        stdout.end();
        stderr.end();
    }

    /** Wakes whoever waits in {@link #poll}. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The next bytes of either stream; absent when the time passed, {@link #wake} was called or the end is reached. */
    Optional<Chunk> poll(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (chunks.isEmpty() && !ended && !woken && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
            Chunk next = chunks.poll();
            if (next != null) {
                pending -= next.bytes().length;
                changed.signalAll();
            }
            return Optional.ofNullable(next);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the first bytes, or for the end. */
    void awaitNews(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (chunks.isEmpty() && !ended && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** True when everything was taken and nothing more comes. */
    boolean isDrained() {
        lock.lock();
        try {
            return ended && chunks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** True when nothing more comes. */
    boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** What has come so far and nobody took. */
    String peekText() {
        lock.lock();
        try {
            StringBuilder text = new StringBuilder();
            chunks.forEach(chunk -> text.append(new String(chunk.bytes(), StandardCharsets.UTF_8)));
            return text.toString();
        } finally {
            lock.unlock();
        }
    }

    /** Drops all that comes, so that the reader never waits. */
    void discard() {
        lock.lock();
        try {
            discarding = true;
            chunks.clear();
            pending = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        stdout.discard();
        stderr.discard();
    }

    /** From now on through the two streams. */
    InputStream stream(Channel channel) {
        lock.lock();
        try {
            streaming = true;
            for (Chunk chunk : chunks) {
                pipe(chunk.channel()).put(chunk.bytes());
            }
            chunks.clear();
            pending = 0;
            changed.signalAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return pipe(channel).source();
    }

    private BytePipe pipe(Channel channel) {
        return switch (channel) {
            case STDOUT -> stdout;
            case STDERR -> stderr;
        };
    }
}
