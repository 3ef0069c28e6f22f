package dev.sandbox.docker;

import dev.sandbox.linux.InputFeed;
import dev.sandbox.linux.uapi.Tty;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One connection to an engine, for one request and its answer; for some requests both sides go on with raw bytes. Made for that: common
 * HTTP clients never half-close such a connection, so that a command which reads to the end of its input would wait for ever.
 *
 * @see <a href="https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Exec/operation/ExecStart">Exec start</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112">HTTP/1.1</a>
 */
final class EngineConnection implements Closeable {
    private static final int BUFFER = 64 * 1024;
    private static final int LONGEST_HEAD = 64 * 1024;

    /** Closes the direction to the engine. */
    @FunctionalInterface
    interface HalfClose {
        void run() throws IOException;
    }

    /** Whether the connection is handed over to raw bytes. */
    enum After {
        ANSWER,
        RAW_BYTES
    }

    /** How the end of the input is told. */
    enum End {
        OF_PIPE,
        /**
         * By characters, of which the first ends a line without a line end: the engine would take a half-closed connection for one that
         * wants no more output either.
         */
        OF_TERMINAL
    }

    private final InputStream in;
    private final OutputStream out;
    private final HalfClose halfClose;
    private final Closeable socket;
    private final Map<String, String> headers = new HashMap<>();
    private int status;

    EngineConnection(InputStream in, OutputStream out, HalfClose halfClose, Closeable socket) {
        this.in = new BufferedInputStream(in, BUFFER);
        this.out = out;
        this.halfClose = halfClose;
        this.socket = socket;
    }

    /** Sends a request, and reads the head of the answer. */
    void request(String method, String path, String json, After after) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        String connection =
                after == After.RAW_BYTES ? "Connection: Upgrade\r\nUpgrade: tcp\r\n" : "Connection: close\r\n";
        String head = method + " " + path + " HTTP/1.1\r\nHost: docker\r\n" + connection
                + (body.length > 0 ? "Content-Type: application/json\r\n" : "") + "Content-Length: " + body.length
                + "\r\n\r\n";
        byte[] start = head.getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[start.length + body.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        out.write(all);
        out.flush();
        readHead();
    }

    private void readHead() throws IOException {
        String[] first = line().split(" ", 3);
        if (first.length < 2 || !first[0].startsWith("HTTP/1.")) {
            throw new IOException("this is no answer of HTTP/1.1");
        }
        status = number(first[1], 10);
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the engine closed the connection");
            }
            if (line.length() > LONGEST_HEAD) {
                throw new IOException("a line of the answer is too long");
            }
            line.append((char) next);
        }
        int end = line.length();
        return line.substring(0, end > 0 && line.charAt(end - 1) == '\r' ? end - 1 : end);
    }

    private static int number(String text, int radix) throws IOException {
        try {
            return Integer.parseUnsignedInt(text, radix);
        } catch (NumberFormatException e) {
            throw new IOException("\"" + text + "\" is no number", e);
        }
    }

    int status() {
        return status;
    }

    /** The answer's body, whole. */
    byte[] body() throws IOException {
        if (isChunked()) {
            return output().readAllBytes();
        }
        String length = headers.get("content-length");
        return length == null ? in.readAllBytes() : in.readNBytes(number(length, 10));
    }

    /** What the engine sends, after a handover. */
    InputStream output() {
        return isChunked() ? new ChunkedInput() : in;
    }

    private boolean isChunked() {
        return "chunked".equalsIgnoreCase(headers.get("transfer-encoding"));
    }

    /** A body in pieces, each with its length before it. */
    private final class ChunkedInput extends InputStream {
        private int left;
        private boolean begun;
        private boolean ended;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left == 0 && !ended) {
                next();
            }
            if (ended) {
                return -1;
            }
            int count = in.read(buffer, offset, Math.min(length, left));
            if (count < 0) {
                throw new EOFException("the engine closed the connection");
            }
            left -= count;
            return count;
        }

        private void next() throws IOException {
            if (begun) {
                String unused = line();
            }
            begun = true;
            left = number(line().split(";", 2)[0].strip(), 16);
            ended = left == 0;
        }
    }

    /** Feeds the command from another thread, and tells of the end. */
    void feed(InputStream input, End end) {
        InputFeed unused = InputFeed.start(input, new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() throws IOException {
                switch (end) {
                    case OF_PIPE -> halfClose.run();
                    case OF_TERMINAL -> out.write(new byte[] {Tty.EOT, Tty.EOT});
                }
            }
        });
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException freedAllTheSame) {
            // The descriptor is free even when close(2) tells an error, and what it tells of nobody reads any more.
            return;
        }
    }
}
