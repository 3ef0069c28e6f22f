package dev.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A bounded pipe between two threads; unlike {@link java.io.PipedInputStream} it neither polls nor cares which threads live. */
final class BytePipe {
    private static final int CAPACITY = 256 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> chunks = new ArrayDeque<>();
    private int pending;
    private boolean ended;
    private boolean unread;

    /** Waits while the pipe is full; drops the bytes when nobody reads any more. */
    void put(byte[] bytes) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (pending >= CAPACITY && !unread && !ended) {
                changed.await();
            }
            if (!unread && !ended) {
                chunks.add(bytes);
                pending += bytes.length;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** No more bytes come; those in the pipe are still read. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody reads any more. */
    void discard() {
        lock.lock();
        try {
            unread = true;
            chunks.clear();
            pending = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private int read(byte[] buffer, int offset, int length) throws IOException {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        try {
            while (chunks.isEmpty() && !ended && !unread) {
                changed.await();
            }
            return chunks.isEmpty() ? -1 : take(buffer, offset, length);
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            lock.unlock();
        }
    }

    private int take(byte[] buffer, int offset, int length) {
        byte[] first = chunks.remove();
        int count = Math.min(length, first.length);
        System.arraycopy(first, 0, buffer, offset, count);
        if (count < first.length) {
            byte[] rest = new byte[first.length - count];
            System.arraycopy(first, count, rest, 0, rest.length);
            chunks.addFirst(rest);
        }
        pending -= count;
        changed.signalAll();
        return count;
    }

    private static IOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted", cause);
    }

    /** The end to read from. */
    InputStream source() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return length == 0 ? 0 : BytePipe.this.read(buffer, offset, length);
            }

            @Override
            public void close() {
                discard();
            }
        };
    }

    /** The end to write to. */
    OutputStream sink() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] buffer, int offset, int length) throws IOException {
                byte[] copy = new byte[length];
                System.arraycopy(buffer, offset, copy, 0, length);
                try {
                    put(copy);
                } catch (InterruptedException e) {
                    throw interrupted(e);
                }
            }

            @Override
            public void close() {
                end();
            }
        };
    }
}
