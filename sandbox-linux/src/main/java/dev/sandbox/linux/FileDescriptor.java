package dev.sandbox.linux;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** An open file descriptor that is closed once. Always opened O_CLOEXEC, so that no child of the JVM inherits it. */
public final class FileDescriptor implements AutoCloseable {
    private static final int CLOSED = -1;

    private final AtomicInteger number;
    private final RawSyscalls syscalls;

    FileDescriptor(int number, RawSyscalls syscalls) {
        this.number = new AtomicInteger(number);
        this.syscalls = syscalls;
    }

    /**
     * The number.
     *
     * @throws IllegalStateException when it was closed: the number may by now belong to another file
     */
    public int number() {
        int current = number.get();
        if (current == CLOSED) {
            throw new IllegalStateException("the file descriptor is closed");
        }
        return current;
    }

    /** False once closed. */
    public boolean isOpen() {
        return number.get() != CLOSED;
    }

    /** Uses the number, unless it was closed; a close in another thread waits for it. For calls that return at once. */
    synchronized void whileOpen(IntConsumer use) {
        if (isOpen()) {
            use.accept(number());
        }
    }

    /** Closes it; further calls do nothing. On Linux the number is free even when close(2) reports an error. */
    @Override
    public synchronized void close() {
        int current = number.getAndSet(CLOSED);
        if (current != CLOSED) {
            syscalls.close(current);
        }
    }

    @Override
    public String toString() {
        return "fd " + number.get();
    }
}
