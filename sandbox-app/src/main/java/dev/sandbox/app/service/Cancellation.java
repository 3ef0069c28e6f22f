package dev.sandbox.app.service;

import org.jspecify.annotations.Nullable;

/** How a client takes back what it asked for, whether that waits, runs or has ended. One for each request; thread-safe. */
public final class Cancellation {
    private boolean cancelled;
    private @Nullable Runnable end;

    /** Takes it back. */
    public void cancel() {
        Runnable now;
        synchronized (this) {
            cancelled = true;
            now = end;
        }
        if (now != null) {
            now.run();
        }
    }

    /** What ends it from now on; at once when it was taken back before. */
    void endBy(Runnable how) {
        boolean late;
        synchronized (this) {
            end = how;
            late = cancelled;
        }
        if (late) {
            how.run();
        }
    }

    synchronized void ended() {
        end = null;
    }

    /** Whether it was taken back. */
    public synchronized boolean isCancelled() {
        return cancelled;
    }
}
