package dev.sandbox.app.http;

import dev.sandbox.domain.isolation.OutputSink;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Decodes a stream as it comes, keeping a character that a chunk's border cuts until it is whole, up to a number of bytes; the rest
 * is dropped. Bytes that are not UTF-8 become U+FFFD. For one thread.
 */
final class StreamedText implements OutputSink {
    private final Consumer<String> target;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private long left;
    private boolean truncated;
    private ByteBuffer rest = ByteBuffer.allocate(0);

    StreamedText(long limit, Consumer<String> target) {
        this.left = limit;
        this.target = target;
    }

    @Override
    public Demand accept(byte[] buffer, int offset, int length) {
        int taken = (int) Math.min(length, left);
        left -= taken;
        truncated |= taken < length;
        if (taken > 0) {
            ByteBuffer bytes = ByteBuffer.allocate(rest.remaining() + taken);
            bytes.put(rest).put(buffer, offset, taken).flip();
            CharBuffer text = CharBuffer.allocate(bytes.remaining() + 1);
            decoder.decode(bytes, text, false);
            rest = bytes.slice();
            say(text);
        }
        return Demand.MORE;
    }

    private void say(CharBuffer text) {
        text.flip();
        if (text.hasRemaining()) {
            target.accept(text.toString());
        }
    }

    /** Says what was kept back. */
    void finish() {
        CharBuffer text = CharBuffer.allocate(rest.remaining() + 2);
        decoder.decode(rest, text, true);
        decoder.flush(text);
        say(text);
    }

    boolean isTruncated() {
        return truncated;
    }
}
