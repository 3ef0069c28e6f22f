package dev.sandbox.linux;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Feeds a step from a stream of the caller's, on a thread of its own: reading that stream may block for ever, which must not keep the
 * run from ending. Such a thread stays until the caller's stream gives way.
 */
public final class InputFeed implements Runnable {
    private static final int CHUNK = 64 * 1024;

    private final InputStream source;
    private final OutputStream target;
    private volatile Optional<String> failure = Optional.empty();

    private InputFeed(InputStream source, OutputStream target) {
        this.source = source;
        this.target = target;
    }

    /** Begins; the step's input ends with the source. */
    public static InputFeed start(InputStream source, OutputStream target) {
        InputFeed feed = new InputFeed(source, target);
        Thread thread = new Thread(feed, "sandbox-input");
        thread.setDaemon(true);
        thread.start();
        return feed;
    }

    /** What went wrong with the source, so that the step got less than there is. */
    public Optional<String> failure() {
        return failure;
    }

    @Override
    public void run() {
        byte[] chunk = new byte[CHUNK];
        try (OutputStream open = target) {
            for (int length = read(chunk); length > 0; length = read(chunk)) {
                open.write(chunk, 0, length);
            }
        } catch (IOException nobodyReads) {
            // The step has closed its input or ended: what it made of that is its result.
            return;
        }
    }

    private int read(byte[] chunk) {
        try {
            return source.read(chunk);
        } catch (IOException e) {
            failure = Optional.of("standard input ended early: " + e.getMessage());
            return -1;
        }
    }
}
