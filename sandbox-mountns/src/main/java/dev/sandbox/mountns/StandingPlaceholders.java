package dev.sandbox.mountns;

import dev.sandbox.linux.HostPlaceholder;
import dev.sandbox.linux.HostPlaceholders;
import java.util.List;

/**
 * Keeps a session's placeholders between its steps: the kernel takes a mask away whose place is removed, and a root that was kept would
 * have to be built again.
 */
final class StandingPlaceholders implements AutoCloseable {
    private final HostPlaceholders placeholders;
    private List<HostPlaceholder> held = List.of();
    private Runnable release = () -> {};

    StandingPlaceholders(HostPlaceholders placeholders) {
        this.placeholders = placeholders;
    }

    /** Makes them for a step, until the returned action; and for the session, until it is closed or a step needs others. */
    synchronized Runnable hold(List<HostPlaceholder> needed) {
        if (!needed.equals(held)) {
            Runnable before = release;
            release = placeholders.hold(needed);
            held = needed;
            before.run();
        }
        return placeholders.hold(needed);
    }

    @Override
    public synchronized void close() {
        release.run();
        release = () -> {};
        held = List.of();
    }
}
