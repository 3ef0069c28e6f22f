package dev.sandbox.app.mcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Standard input, message by message, each a line. A line that is too long ends the input: the client is broken. */
final class MessageInput extends InputStream {
    private static final Logger LOG = LoggerFactory.getLogger(MessageInput.class);
    private static final int LONGEST = 16 << 20;

    /** What is done before the end is told. */
    interface AtEnd {
        void run() throws InterruptedException;
    }

    private final InputStream in;
    private final Messages messages;
    private final AtEnd atEnd;
    private final CountDownLatch end = new CountDownLatch(1);
    private byte[] line = {};
    private int position;

    MessageInput(InputStream in, Messages messages, AtEnd atEnd) {
        this.in = new BufferedInputStream(in);
        this.messages = messages;
        this.atEnd = atEnd;
    }

    @Override
    public int read() throws IOException {
        return fill() ? line[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (!fill()) {
            return -1;
        }
        int taken = Math.min(length, line.length - position);
        System.arraycopy(line, position, buffer, offset, taken);
        position += taken;
        return taken;
    }

    /** What is there of the line; a reader must not wait for the next one. */
    @Override
    public int available() {
        return line.length - position;
    }

    private boolean fill() throws IOException {
        if (position < line.length) {
            return true;
        }
        Optional<String> message = next();
        while (message.isPresent() && !Messages.isMessage(message.get())) {
            LOG.warn(
                    "a line of {} characters that is no message of JSON-RPC was left out",
                    message.get().length());
            message = next();
        }
        if (message.isEmpty()) {
            ended();
            return false;
        }
        line = (messages.prepared(message.get(), "stdio") + "\n").getBytes(StandardCharsets.UTF_8);
        position = 0;
        return true;
    }

    private Optional<String> next() throws IOException {
        ByteArrayOutputStream next = new ByteArrayOutputStream();
        int read;
        while ((read = in.read()) >= 0 && read != '\n' && next.size() < LONGEST) {
            next.write(read);
        }
        if (read != '\n' && (next.size() == 0 || next.size() == LONGEST)) {
            return Optional.empty();
        }
        return Optional.of(next.toString(StandardCharsets.UTF_8));
    }

    private void ended() {
        try {
            if (end.getCount() > 0) {
                atEnd.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end.countDown();
        }
    }

    void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
