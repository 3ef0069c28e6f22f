package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Tty;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * The JVM's standard input, copied to a step through a pipe. Of a file the position stays where it is, and goes in the end to where the
 * step has read: a loop of a shell over the lines of a file can run steps that do not read it, as it can run any program.
 */
final class CopiedInput {
    private final RawSyscalls syscalls;
    private final PipeOutputStream target;
    private final FileDescriptor gauge;
    private final Optional<FileChannel> file;
    private final long start;
    private final InputFeed feed;

    private CopiedInput(
            RawSyscalls syscalls, PipeOutputStream target, FileDescriptor gauge, Optional<FileChannel> file) {
        this.syscalls = syscalls;
        this.target = target;
        this.gauge = gauge;
        this.file = file;
        this.start = file.map(CopiedInput::position).orElse(0L);
        this.feed = InputFeed.start(
                file.<InputStream>map(channel -> new Reader(channel, start)).orElseGet(CopiedInput::own), target);
    }

    /**
     * Begins.
     *
     * @param pipe the pipe's write end, and its read end once more: what the step has not read is seen there
     */
    static CopiedInput start(RawSyscalls syscalls, LinuxSyscalls.Pipe pipe, InheritedStream kind) {
        Optional<FileChannel> file =
                kind == InheritedStream.COPIED_FROM_FILE ? Optional.of(own().getChannel()) : Optional.empty();
        return new CopiedInput(syscalls, new PipeOutputStream(syscalls, pipe.writeEnd()), pipe.readEnd(), file);
    }

    @SuppressWarnings("resource") // the descriptor is the JVM's own: never closed
    private static FileInputStream own() {
        return new FileInputStream(java.io.FileDescriptor.in);
    }

    private static long position(FileChannel channel) {
        try {
            return channel.position();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<String> failure() {
        return feed.failure();
    }

    /** Once nobody reads the pipe any more. */
    void finish() {
        target.abandon();
        file.ifPresent(channel -> {
            try (NativeArena arena = new NativeArena()) {
                long count = arena.allocate(Integer.BYTES);
                LinuxSyscalls.check(syscalls.ioctl(gauge.number(), Tty.FIONREAD, count), "ioctl", "FIONREAD");
                // A step can write into its own pipe as well, so that more is left in it than was ever read from the
                // file.
                long taken = Math.max(0, target.written() - NativeArena.getInt(count));
                FileChannel unused = channel.position(start + taken);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                gauge.close();
            }
        });
        gauge.close();
    }

    /** Reads on from a place of its own; the file's position, which others share, is not moved. */
    private static final class Reader extends InputStream {
        private final FileChannel channel;
        private long next;

        Reader(FileChannel channel, long start) {
            this.channel = channel;
            this.next = start;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = channel.read(ByteBuffer.wrap(target, offset, length), next);
            next += Math.max(0, count);
            return count;
        }
    }
}
