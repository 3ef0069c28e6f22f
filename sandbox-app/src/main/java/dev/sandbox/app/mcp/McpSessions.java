package dev.sandbox.app.mcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Which sessions there are and when each was last used, so that they end: clients forget to. One that has ended is told to its client
 * by 404, and the client begins another. Thread-safe.
 */
final class McpSessions {
    private final int most;
    private final long longestNanos;
    private final LongSupplier nanoTime;
    /** The one that was used longest ago first. */
    private final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

    private static final class Session {
        private long lastUse;
        private int running;
    }

    McpSessions(int most, Duration longest, LongSupplier nanoTime) {
        this.most = most;
        this.longestNanos = longest.toNanos();
        this.nanoTime = nanoTime;
    }

    /** One was begun; those that have to end for it, which are forgotten here. */
    synchronized List<String> begun(String id) {
        Session session = new Session();
        session.lastUse = nanoTime.getAsLong();
        sessions.put(id, session);
        return ending();
    }

    /** A request of it is served, until {@link #left}; ended ones are not known. */
    synchronized void entered(String id) {
        Session session = sessions.get(id);
        if (session != null) {
            session.running++;
            session.lastUse = nanoTime.getAsLong();
        }
    }

    synchronized void left(String id) {
        Session session = sessions.get(id);
        if (session != null) {
            session.running--;
            session.lastUse = nanoTime.getAsLong();
        }
    }

    /** Its client has ended it. */
    synchronized void ended(String id) {
        sessions.remove(id);
    }

    synchronized int count() {
        return sessions.size();
    }

    /** Those that nobody has used for long, and the oldest of too many; not one that is being served. */
    private List<String> ending() {
        List<String> ending = new ArrayList<>();
        long now = nanoTime.getAsLong();
        Iterator<Map.Entry<String, Session>> oldest = sessions.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<String, Session> next = oldest.next();
            boolean old = now - next.getValue().lastUse > longestNanos;
            if (!old && sessions.size() <= most) {
                break;
            }
            if (next.getValue().running == 0) {
                ending.add(next.getKey());
                oldest.remove();
            }
        }
        return ending;
    }
}
