package dev.sandbox.linux;

import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.OutputSink.Demand;
import dev.sandbox.linux.uapi.Poll;
import java.util.Optional;

/** One of the child's outputs on its way to a sink. */
final class OutputPump {
    private static final int EAGAIN = Errno.EAGAIN.number();
    private static final int EINTR = Errno.EINTR.number();
    /** The largest pipe that an ordinary user may make: what can be left in it when nobody writes any more. */
    private static final int LARGEST_PIPE = 1024 * 1024;

    private final RawSyscalls syscalls;
    private final OutputSink sink;
    private final CopyBuffer buffer;
    private int fd;

    OutputPump(RawSyscalls syscalls, Optional<FileDescriptor> source, OutputSink sink, CopyBuffer buffer) {
        this.syscalls = syscalls;
        this.fd = source.filter(FileDescriptor::isOpen)
                .map(FileDescriptor::number)
                .orElse(-1);
        this.sink = sink;
        this.buffer = buffer;
    }

    /** No writer is left, or there was no pipe. */
    boolean ended() {
        return fd < 0;
    }

    /** What the sink wants now; nothing else can be asked of one that gets nothing more. */
    Demand demand() {
        return ended() ? Demand.MORE : sink.demand();
    }

    void watch(Poller poller, int index) {
        if (ended()) {
            poller.ignore(index);
        } else {
            poller.watch(index, fd, Poll.POLLIN);
        }
    }

    /** Moves one buffer. */
    Demand move() {
        int length = read();
        return length > 0 ? sink.accept(buffer.bytes, 0, length) : Demand.MORE;
    }

    /** Moves what is still in the pipe, without waiting for more. */
    void moveRest() {
        int moved = 0;
        int length = 1;
        while (!ended() && length > 0 && moved <= LARGEST_PIPE) {
            length = read();
            moved += length;
            if (length > 0 && sink.accept(buffer.bytes, 0, length) == Demand.END_RUN) {
                return;
            }
        }
    }

    private int read() {
        long length = syscalls.read(fd, buffer.address, CopyBuffer.SIZE);
        if (length == -EAGAIN || length == -EINTR) {
            return 0;
        }
        if (length <= 0) {
            fd = -1;
            return 0;
        }
        NativeArena.copy(buffer.address, buffer.bytes, 0, (int) length);
        return (int) length;
    }

    /** Where the kernel writes and where the sink reads; one for both outputs. */
    static final class CopyBuffer implements AutoCloseable {
        static final int SIZE = 64 * 1024;

        private final NativeArena arena = new NativeArena();
        private final long address = arena.allocate(SIZE);
        private final byte[] bytes = new byte[SIZE];

        @Override
        public void close() {
            arena.close();
        }
    }
}
