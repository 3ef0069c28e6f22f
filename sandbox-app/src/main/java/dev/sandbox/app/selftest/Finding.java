package dev.sandbox.app.selftest;

/**
 * How an attack went, whatever was promised.
 *
 * @param kind how
 * @param detail why, for people; may be empty
 */
record Finding(Kind kind, String detail) {
    /** How an attack went. */
    enum Kind {
        ESCAPED,
        DENIED,
        UNTRIED
    }

    static Finding escaped(String detail) {
        return new Finding(Kind.ESCAPED, detail);
    }

    static Finding denied() {
        return new Finding(Kind.DENIED, "");
    }

    static Finding untried(String reason) {
        return new Finding(Kind.UNTRIED, reason);
    }
}
