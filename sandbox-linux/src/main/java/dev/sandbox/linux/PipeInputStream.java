package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Poll;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/** Reads the child's output. A close from another thread ends a waiting read within a poll slice. */
final class PipeInputStream extends InputStream {
    private static final int LARGEST_READ = 64 * 1024;

    private final RawSyscalls syscalls;
    private final FileDescriptor fd;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean closed;

    PipeInputStream(RawSyscalls syscalls, FileDescriptor fd) {
        this.syscalls = syscalls;
        this.fd = fd;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        lock.lock();
        try (NativeArena arena = new NativeArena();
                Poller poller = new Poller(syscalls, 1)) {
            int size = Math.min(length, LARGEST_READ);
            return read(arena.allocate(size), size, poller, target, offset);
        } finally {
            lock.unlock();
        }
    }

    private int read(long buffer, int size, Poller poller, byte[] target, int offset) throws IOException {
        while (true) {
            if (closed) {
                throw new IOException("the stream is closed");
            }
            poller.watch(0, fd.number(), Poll.POLLIN);
            poller.poll(Poller.SLICE_MILLIS);
            if (!poller.ready(0)) {
                continue;
            }
            long moved = syscalls.read(fd.number(), buffer, size);
            if (moved >= 0) {
                NativeArena.copy(buffer, target, offset, (int) moved);
                return moved == 0 ? -1 : (int) moved;
            }
            if (moved == -Errno.EIO.number()) {
                // A terminal whose other side nobody holds any more.
                return -1;
            }
            PipeOutputStream.throwUnlessTransient((int) -moved, "read");
        }
    }

    @Override
    public void close() {
        closed = true;
        lock.lock();
        try {
            fd.close();
        } finally {
            lock.unlock();
        }
    }
}
