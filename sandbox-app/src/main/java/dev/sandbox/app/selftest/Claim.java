package dev.sandbox.app.selftest;

import dev.sandbox.domain.guarantee.Guarantee;
import java.util.List;

/**
 * What a probe attacks.
 *
 * @param text the guarantee's id, or what every backend promises, for people
 * @param guarantees those that a backend must hold for the attack to have to fail; none: it has to fail on every backend
 */
record Claim(String text, List<Guarantee> guarantees) {
    Claim {
        guarantees = List.copyOf(guarantees);
    }

    /** Held where the backend says that it holds this. */
    static Claim of(Guarantee guarantee) {
        return new Claim(guarantee.id(), List.of(guarantee));
    }

    /** Held by every backend that can be used at all. */
    static Claim always(String text) {
        return new Claim(text, List.of());
    }
}
