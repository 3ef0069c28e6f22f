package dev.sandbox.domain.result;

import dev.sandbox.domain.isolation.OutputSink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keeps at most a given number of bytes of a stream: its head, and its tail in a ring, so that both the first and the last words
 * of a long output survive. Decodes once at the end, so a character cut by a chunk border is whole. Not thread-safe.
 */
public final class CapturedOutput implements OutputSink {
    private static final int FIRST_SIZE = 8192;

    private final int headLimit;
    private final int tailLimit;
    private byte[] head;
    private int headSize;
    private byte[] tail = new byte[0];
    private long tailSeen;

    /** Keeps at most {@code limit} bytes (at most 1 GiB). */
    public CapturedOutput(long limit) {
        int bounded = (int) Math.min(Math.max(limit, 0), 1 << 30);
        this.headLimit = bounded - bounded / 2;
        this.tailLimit = bounded / 2;
        this.head = new byte[Math.min(FIRST_SIZE, headLimit)];
    }

    @Override
    public Demand accept(byte[] buffer, int offset, int length) {
        int toHead = Math.min(length, headLimit - headSize);
        if (headSize + toHead > head.length) {
            head = Arrays.copyOf(head, (int) Math.min(headLimit, Math.max(2L * head.length, headSize + (long) toHead)));
        }
        System.arraycopy(buffer, offset, head, headSize, toHead);
        headSize += toHead;
        toTail(buffer, offset + toHead, length - toHead);
        return Demand.MORE;
    }

    private void toTail(byte[] buffer, int offset, int length) {
        if (length > 0 && tailLimit > 0) {
            ensureTail(tailSeen + length);
            int kept = Math.min(length, tailLimit);
            int from = offset + length - kept;
            int position = (int) ((tailSeen + length - kept) % tailLimit);
            int first = Math.min(kept, tailLimit - position);
            System.arraycopy(buffer, from, tail, position, first);
            System.arraycopy(buffer, from + first, tail, 0, kept - first);
        }
        tailSeen += length;
    }

    private void ensureTail(long wanted) {
        if (tail.length < tailLimit && wanted > tail.length) {
            tail = Arrays.copyOf(tail, (int) Math.min(tailLimit, Math.max(2L * tail.length, wanted)));
        }
    }

    /** True when bytes were left out of the middle. */
    public boolean isTruncated() {
        return tailSeen > tailLimit;
    }

    /** The bytes kept, head before tail. */
    public byte[] bytes() {
        int kept = (int) Math.min(tailSeen, tailLimit);
        byte[] all = Arrays.copyOf(head, headSize + kept);
        if (kept > 0) {
            int start = isTruncated() ? (int) (tailSeen % tailLimit) : 0;
            int first = Math.min(kept, tailLimit - start);
            System.arraycopy(tail, start, all, headSize, first);
            System.arraycopy(tail, 0, all, headSize + first, kept - first);
        }
        return all;
    }

    /** The text kept; bytes that are not UTF-8 become U+FFFD, and a cut is marked where it is. */
    public String text() {
        if (!isTruncated()) {
            return new String(bytes(), StandardCharsets.UTF_8);
        }
        byte[] all = bytes();
        String start = new String(all, 0, headSize, StandardCharsets.UTF_8);
        String end = new String(all, headSize, all.length - headSize, StandardCharsets.UTF_8);
        return start + "\n[... " + (tailSeen - tailLimit) + " bytes left out ...]\n" + end;
    }
}
