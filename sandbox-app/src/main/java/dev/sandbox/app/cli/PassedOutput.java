package dev.sandbox.app.cli;

import dev.sandbox.domain.isolation.OutputSink;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes a stream on untouched and whole. Written on a thread of its own: whoever reads it may be slow, which makes the step wait and
 * not the clock of its timeout. A reader that went away ends the run, as SIGPIPE would.
 */
final class PassedOutput implements OutputSink {
    /** More than this is not taken from the step while nobody reads. */
    private static final int ENOUGH = 1024 * 1024;

    private final PrintStream target;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> chunks = new ArrayDeque<>();
    private long pending;
    private boolean begun;
    private boolean ended;
    private boolean readerGone;

    PassedOutput(PrintStream target) {
        this.target = target;
    }

    @Override
    public Demand accept(byte[] buffer, int offset, int length) {
        lock.lock();
        try {
            if (!readerGone) {
                chunks.add(Arrays.copyOfRange(buffer, offset, offset + length));
                pending += length;
                begin();
                changed.signalAll();
            }
            return demandNow();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Demand demand() {
        lock.lock();
        try {
            return demandNow();
        } finally {
            lock.unlock();
        }
    }

    private Demand demandNow() {
        if (readerGone) {
            return Demand.END_RUN;
        }
        return pending < ENOUGH ? Demand.MORE : Demand.PAUSE;
    }

    private void begin() {
        if (!begun) {
            begun = true;
            Thread writer = new Thread(this::write, "sandbox-output");
            writer.setDaemon(true);
            writer.start();
        }
    }

    private void write() {
        boolean gone = false;
        for (byte[] chunk = next(0, false); chunk.length > 0; chunk = next(chunk.length, gone)) {
            target.write(chunk, 0, chunk.length);
            target.flush();
            gone = target.checkError();
        }
    }

    /** The next bytes, after so many were written; none at the end. */
    private byte[] next(int written, boolean gone) {
        lock.lock();
        try {
            pending -= written;
            if (gone) {
                readerGone = true;
                chunks.clear();
                pending = 0;
            }
            changed.signalAll();
            while (chunks.isEmpty() && !ended && !readerGone) {
                changed.awaitUninterruptibly();
            }
            return chunks.isEmpty() ? new byte[0] : chunks.remove();
        } finally {
            lock.unlock();
        }
    }

    /** The step has ended: returns when all of it has been passed on, or nobody reads any more; whether all of it was. */
    boolean finish() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
            while (pending > 0 && !readerGone) {
                changed.awaitUninterruptibly();
            }
            return !readerGone;
        } finally {
            lock.unlock();
        }
    }
}
