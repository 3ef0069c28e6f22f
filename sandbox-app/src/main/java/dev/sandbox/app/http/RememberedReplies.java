package dev.sandbox.app.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What was answered to requests that bring an {@code Idempotency-Key}, so that a client whose connection broke may ask again without
 * a second run. A key stands for one body; while that runs, another request of the key is refused; what has run is answered again for a
 * while. Bounded: the oldest answers go first. Thread-safe.
 *
 * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">The Idempotency-Key HTTP Header Field</a>
 */
final class RememberedReplies {
    static final String HEADER = "Idempotency-Key";
    static final Duration KEPT_FOR = Duration.ofMinutes(10);
    static final int MOST = 1000;
    static final int MOST_CHARACTERS = 64 << 20;

    private static final Pattern KEY = Pattern.compile("[!-~]{1,128}");
    private static final int RETRY_SECONDS = 1;

    private final LongSupplier nanoTime;
    /** In the order in which they came. */
    private final Map<String, Known> known = new LinkedHashMap<>();

    private long characters;

    /** Of one server; the clock is monotonic, in nanoseconds. */
    RememberedReplies(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private static final class Known {
        private final byte[] digest;
        private @Nullable Answer answer;
        private long since;

        private Known(byte[] digest) {
            this.digest = digest;
        }
    }

    /**
     * An answer as it went out.
     *
     * @param status of HTTP
     * @param body JSON
     */
    record Answer(int status, String body) {}

    /**
     * The answer of an earlier request; absent for the first one, which has to call {@link #remember} or {@link #forget}.
     *
     * @throws Refusal 400 for what is no key, 409 while the first one runs, 422 when the key came with another body
     */
    synchronized Optional<Answer> begin(String key, byte[] body) {
        if (!KEY.matcher(key).matches()) {
            throw Refusal.badRequest(HEADER + ": write 1 to 128 visible ASCII characters");
        }
        removeOld();
        byte[] digest = sha256(body);
        Known earlier = known.get(key);
        if (earlier == null) {
            known.put(key, new Known(digest));
            return Optional.empty();
        }
        if (!Arrays.equals(earlier.digest, digest)) {
            throw Refusal.keyTaken(HEADER + ": this key came with another body; choose a key for each request");
        }
        if (earlier.answer == null) {
            throw Refusal.inProgress(HEADER + ": the first request of this key still runs; ask again", RETRY_SECONDS);
        }
        return Optional.of(earlier.answer);
    }

    /** What the first request was answered. One that is too large to be kept is remembered as having run. */
    synchronized void remember(String key, Reply reply) {
        String body = reply.body();
        Known first = known.remove(key);
        if (first == null) {
            return;
        }
        first.answer = body.length() > MOST_CHARACTERS ? tooLarge() : new Answer(reply.status(), body);
        first.since = nanoTime.getAsLong();
        characters += first.answer.body().length();
        known.put(key, first);
        removeOld();
    }

    /** Nothing ran: the next request of the key is the first. */
    synchronized void forget(String key) {
        known.remove(key);
    }

    private void removeOld() {
        long now = nanoTime.getAsLong();
        Iterator<Known> oldest = known.values().iterator();
        while (oldest.hasNext()) {
            Known next = oldest.next();
            Answer answer = next.answer;
            if (answer == null) {
                continue; // as many as may run at once
            }
            if (now - next.since < KEPT_FOR.toNanos() && known.size() <= MOST && characters <= MOST_CHARACTERS) {
                return;
            }
            characters -= answer.body().length();
            oldest.remove();
        }
    }

    private static Answer tooLarge() {
        Reply reply = Reply.of(Refusal.tooLargeToRepeat());
        return new Answer(reply.status(), reply.body());
    }

    private static byte[] sha256(byte[] body) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
