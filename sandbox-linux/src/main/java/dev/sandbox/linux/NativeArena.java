package dev.sandbox.linux;

import com.kenai.jffi.MemoryIO;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Native memory that is freed together. Not the garbage collector's: what a spawn points to must live until it returned,
 * and not much longer. One thread at a time.
 */
public final class NativeArena implements AutoCloseable {
    private static final LibC LIBC = NativeRuntime.LIBC;
    private static final MemoryIO MEMORY = NativeRuntime.MEMORY;

    private final List<Long> blocks = new ArrayList<>();

    /** The address of so many zero bytes, aligned for any type. */
    public long allocate(long size) {
        long address = LIBC.calloc(1, Math.max(1, size));
        if (address == 0) {
            throw new OutOfMemoryError("calloc(" + size + ")");
        }
        blocks.add(address);
        return address;
    }

    /** The address of these bytes. */
    public long bytes(byte[] bytes) {
        long address = allocate(bytes.length);
        MEMORY.putByteArray(address, bytes, 0, bytes.length);
        return address;
    }

    /**
     * The address of this text in UTF-8, ended by a NUL.
     *
     * @throws IllegalArgumentException when the text holds a NUL or an unpaired surrogate: the kernel would see another text
     */
    public long string(String text) {
        byte[] encoded = encode(text);
        long address = allocate(encoded.length + 1L);
        MEMORY.putByteArray(address, encoded, 0, encoded.length);
        return address;
    }

    /** The address of an array of pointers to these texts, ended by a null pointer: an argv or an envp. */
    public long strings(List<String> texts) {
        long array = allocate((texts.size() + 1L) * Long.BYTES);
        for (int i = 0; i < texts.size(); i++) {
            MEMORY.putLong(array + (long) i * Long.BYTES, string(texts.get(i)));
        }
        return array;
    }

    /** Writes an int of native order. */
    public static void putInt(long address, int value) {
        MEMORY.putInt(address, value);
    }

    /** Writes a long of native order. */
    public static void putLong(long address, long value) {
        MEMORY.putLong(address, value);
    }

    /** Reads an int of native order. */
    public static int getInt(long address) {
        return MEMORY.getInt(address);
    }

    /** Reads a long of native order. */
    public static long getLong(long address) {
        return MEMORY.getLong(address);
    }

    /** Copies native memory out. */
    public static void copy(long address, byte[] target, int offset, int length) {
        MEMORY.getByteArray(address, target, offset, length);
    }

    private static byte[] encode(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the text contains a NUL character");
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // An unpaired surrogate became a question mark. Not by an encoder that reports it: each path of a run comes by
        // here.
        if (!new String(bytes, StandardCharsets.UTF_8).equals(text)) {
            throw new IllegalArgumentException("the text contains an unpaired surrogate");
        }
        return bytes;
    }

    @Override
    public void close() {
        blocks.forEach(LIBC::free);
        blocks.clear();
    }
}
