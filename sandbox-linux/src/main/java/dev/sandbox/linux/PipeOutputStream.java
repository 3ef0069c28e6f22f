package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.linux.uapi.Poll;
import dev.sandbox.linux.uapi.Tty;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes the child's input; not buffered. When nobody reads any more a write fails with an IOException: the JVM handles
 * SIGPIPE, so write(2) gives EPIPE.
 */
final class PipeOutputStream extends OutputStream {
    private static final int LARGEST_WRITE = 64 * 1024;

    private final RawSyscalls syscalls;
    private final FileDescriptor fd;
    private final Stdio kind;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean closed;
    /** Written under the lock alone. */
    private long total;

    /** Into a pipe, whose end is seen when it is closed. */
    PipeOutputStream(RawSyscalls syscalls, FileDescriptor fd) {
        this(syscalls, fd, Stdio.PIPE);
    }

    /** Into a terminal, the end of input is a character. */
    PipeOutputStream(RawSyscalls syscalls, FileDescriptor fd, Stdio kind) {
        this.syscalls = syscalls;
        this.fd = fd;
        this.kind = kind;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        lock.lock();
        try (NativeArena arena = new NativeArena();
                Poller poller = new Poller(syscalls, 1)) {
            long buffer = arena.allocate(Math.min(length, LARGEST_WRITE));
            int done = 0;
            while (done < length) {
                int size = Math.min(length - done, LARGEST_WRITE);
                NativeRuntime.MEMORY.putByteArray(buffer, source, offset + done, size);
                int moved = writeSome(buffer, size, poller);
                done += moved;
                total += moved;
            }
        } finally {
            lock.unlock();
        }
    }

    private int writeSome(long buffer, int size, Poller poller) throws IOException {
        while (true) {
            if (closed) {
                throw new IOException("the stream is closed");
            }
            poller.watch(0, fd.number(), Poll.POLLOUT);
            poller.poll(Poller.SLICE_MILLIS);
            if (!poller.ready(0)) {
                continue;
            }
            long moved = syscalls.write(fd.number(), buffer, size);
            if (moved >= 0) {
                return (int) moved;
            }
            throwUnlessTransient((int) -moved, "write");
        }
    }

    /** The first ends a line without a line end, if there is one, and only the second the input. */
    private void endOfInput() {
        try {
            write(new byte[] {Tty.EOT, Tty.EOT}, 0, 2);
        } catch (IOException nobodyReads) {
            // Who has gone needs no end of input.
            return;
        }
    }

    static void throwUnlessTransient(int errno, String call) throws IOException {
        if (errno != Errno.EAGAIN.number() && errno != Errno.EINTR.number()) {
            throw new IOException(call + ": " + Errno.describe(errno));
        }
    }

    /** Into a terminal it waits, as any write does, until that takes the end of input. */
    @Override
    public void close() {
        if (kind == Stdio.TERMINAL && !closed) {
            endOfInput();
        }
        abandon();
    }

    /** How many bytes have been written; waits for a write that goes on. */
    long written() {
        lock.lock();
        try {
            return total;
        } finally {
            lock.unlock();
        }
    }

    /** Closes it without a last word. */
    void abandon() {
        closed = true;
        lock.lock();
        try {
            fd.close();
        } finally {
            lock.unlock();
        }
    }
}
