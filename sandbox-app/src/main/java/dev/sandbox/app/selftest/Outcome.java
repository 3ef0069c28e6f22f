package dev.sandbox.app.selftest;

import java.util.Locale;

/**
 * What a probe showed of one backend.
 *
 * @param kind the word of the matrix
 * @param detail why, for people; empty where the word says it all
 */
public record Outcome(Kind kind, String detail) {
    /** The words of the matrix. */
    public enum Kind {
        /** The attack failed. */
        HELD,
        /** It succeeded, where the documentation says that it does. */
        OPEN,
        /** It succeeded, where it must not. */
        BROKEN,
        /** The backend refuses the policy that the attack takes, so nothing ran. */
        REFUSED,
        /** It could not be tried here. */
        UNTRIED;

        /** The word as shown. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
