package dev.sandbox.app.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a client has not taken yet, in the order in which it came. Texts of the same stream become one, so that what is kept is as large
 * as its text, however small the pieces are in which a step prints it. Thread-safe.
 */
final class PendingEvents {
    /** Characters; a step that fills a pipe of the largest size beside adds as many once more. */
    static final int ENOUGH = 512 * 1024;

    /** Of one event: so many characters are at most made into JSON at once. */
    private static final int LARGEST_EVENT = 64 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Text> texts = new ArrayDeque<>();
    private long characters;
    private @Nullable Event last;

    private record Text(String name, StringBuilder text) {}

    /** Some output. */
    void add(String name, String text) {
        lock.lock();
        try {
            Text newest = texts.peekLast();
            if (newest == null
                    || !newest.name().equals(name)
                    || newest.text().length() + text.length() > LARGEST_EVENT) {
                newest = new Text(name, new StringBuilder());
                texts.add(newest);
            }
            newest.text().append(text);
            characters += text.length();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing comes after this one. */
    void end(Event event) {
        lock.lock();
        try {
            last = event;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** True while the client has to take some first. */
    boolean isFull() {
        lock.lock();
        try {
            return characters >= ENOUGH;
        } finally {
            lock.unlock();
        }
    }

    /** The next event; null when none came in time. */
    @Nullable
    Event next(Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = patience.toNanos();
            while (texts.isEmpty() && last == null && left > 0) {
                left = changed.awaitNanos(left);
            }
            Text text = texts.poll();
            if (text == null) {
                return last;
            }
            characters -= text.text().length();
            return Event.of(text.name(), text.text().toString());
        } finally {
            lock.unlock();
        }
    }
}
