package dev.sandbox.app.service;

import dev.sandbox.domain.StandardSandbox;
import java.util.function.Supplier;

/**
 * The sandbox that serves. Backends prove themselves once and remember it, so a fresh proof needs a fresh sandbox; one that came to
 * stand meanwhile takes the place of the old one. Thread-safe.
 */
public final class CurrentSandbox {
    private final Supplier<StandardSandbox> maker;
    private volatile StandardSandbox current;

    /** Makes the first one. */
    public CurrentSandbox(Supplier<StandardSandbox> maker) {
        this.maker = maker;
        this.current = maker.get();
    }

    /** The one that serves now. */
    public StandardSandbox get() {
        return current;
    }

    /** Another one, which has proved nothing yet. */
    StandardSandbox fresh() {
        return maker.get();
    }

    /** Puts another in its place, unless steps run in it: those must stay listed. */
    void replaceWhenIdle(StandardSandbox fresh) {
        if (current.running().isEmpty()) {
            current = fresh;
        }
    }
}
