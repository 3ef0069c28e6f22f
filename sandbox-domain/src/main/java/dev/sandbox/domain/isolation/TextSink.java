package dev.sandbox.domain.isolation;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Hands on what a step prints as text: a character in UTF-8 that a chunk cuts is handed on with the next chunk, and what is none as
 * U+FFFD. For one stream and one thread at a time.
 */
public final class TextSink implements OutputSink {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);

    private final Consumer<String> target;
    private ByteBuffer cut = ByteBuffer.allocate(0);

    /** Hands on to a target, never an empty text. */
    public TextSink(Consumer<String> target) {
        this.target = target;
    }

    @Override
    public Demand accept(byte[] buffer, int offset, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(cut.remaining() + length);
        bytes.put(cut).put(buffer, offset, length).flip();
        CharBuffer text = CharBuffer.allocate(bytes.remaining() + 1);
        decoder.decode(bytes, text, false);
        cut = bytes;
        handOn(text);
        return Demand.MORE;
    }

    /** After the run: hands on what the last chunk has cut. */
    public void finish() {
        CharBuffer text = CharBuffer.allocate(cut.remaining() + 1);
        decoder.decode(cut, text, true);
        decoder.flush(text);
        decoder.reset();
        handOn(text);
    }

    private void handOn(CharBuffer text) {
        if (text.flip().hasRemaining()) {
            target.accept(text.toString());
        }
    }
}
