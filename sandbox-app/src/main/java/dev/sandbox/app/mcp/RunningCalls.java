package dev.sandbox.app.mcp;

import dev.sandbox.app.service.Cancellation;
import java.util.LinkedHashMap;
import java.util.Map;

/** The calls that clients may still take back, by a name that no other client can use. Thread-safe. */
final class RunningCalls {
    /** A call that is announced and never made, because it is malformed, stays here until so many came after it. */
    private static final int MOST = 4096;

    private final Map<String, Cancellation> calls = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Cancellation> eldest) {
            return size() > MOST;
        }
    };

    /** From now on it can be taken back. */
    synchronized void announce(String name) {
        calls.put(name, new Cancellation());
    }

    /** What takes back a call; a new one when it was not announced. */
    synchronized Cancellation of(String name) {
        return calls.computeIfAbsent(name, unknown -> new Cancellation());
    }

    synchronized void ended(String name) {
        calls.remove(name);
        notifyAll();
    }

    /** Takes one back, if it is still there. */
    void cancel(String name) {
        Cancellation call;
        synchronized (this) {
            call = calls.get(name);
        }
        if (call != null) {
            call.cancel();
        }
    }

    void cancelAll() {
        Map<String, Cancellation> all;
        synchronized (this) {
            all = Map.copyOf(calls);
        }
        all.values().forEach(Cancellation::cancel);
    }

    /** Waits until none is left, but no longer than this. */
    synchronized void awaitNone(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (!calls.isEmpty()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }
}
