package dev.sandbox.linux.spawn;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A piece of a program's memory: a text, a struct, or room for results. It has a place only in an encoded program; two blocks with
 * equal content are two places. Immutable, so one block may serve many programs.
 */
public final class Block {
    private final String label;
    private final byte[] content;
    private final List<Block> pointers;
    private final int firstPointer;

    private Block(String label, byte[] content, List<Block> pointers) {
        this(label, content, pointers, 0);
    }

    private Block(String label, byte[] content, List<Block> pointers, int firstPointer) {
        this.label = label;
        this.content = content;
        this.pointers = pointers;
        this.firstPointer = firstPointer;
    }

    /**
     * A text in UTF-8, ended by a NUL.
     *
     * @throws IllegalArgumentException when the text holds a NUL or an unpaired surrogate: the kernel would see another text
     */
    public static Block text(String text) {
        byte[] encoded = encode(text);
        return new Block("\"" + text + "\"", Arrays.copyOf(encoded, encoded.length + 1), List.of());
    }

    /** Bytes as they are; the label stands for them when the program is printed. */
    public static Block bytes(String label, byte[] bytes) {
        return new Block(label, bytes.clone(), List.of());
    }

    /** So many zero bytes. */
    public static Block zero(String label, int size) {
        return new Block(label, new byte[size], List.of());
    }

    /** A struct of 64-bit words. */
    public static Block words(String label, long... words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : words) {
            bytes.putLong(word);
        }
        return new Block(label, bytes.array(), List.of());
    }

    /**
     * An array of pointers to these texts, ended by a null pointer: an argv or an envp. Printed by its label and length alone, for an
     * environment holds values that are nobody's business.
     */
    public static Block pointers(String label, List<String> texts) {
        List<Block> blocks = texts.stream().map(Block::text).toList();
        return new Block(
                label + "[" + texts.size() + "]", new byte[(texts.size() + 1) * Long.BYTES], List.copyOf(blocks));
    }

    /** A struct of a number and a pointer. */
    static Block pointing(String label, long number, Block target) {
        return new Block(label, words(label, number, 0).content, List.of(target), Long.BYTES);
    }

    /** Eight bytes of it, from an offset on. */
    public Slot slot(int offset) {
        return new Slot(this, offset);
    }

    String label() {
        return label;
    }

    byte[] content() {
        return content;
    }

    /** What its words point to, from {@link #firstPointer} on. */
    List<Block> pointers() {
        return pointers;
    }

    /** The offset of the first word that points. */
    int firstPointer() {
        return firstPointer;
    }

    private static byte[] encode(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the text contains a NUL character");
        }
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the text contains an unpaired surrogate", e);
        }
    }

    @Override
    public String toString() {
        return label;
    }
}
