package dev.sandbox.mountns;

/** A way to carry out plans. */
interface Enforcer {
    /** For people: by which way. */
    String name();

    /** Opens a session; cheap. */
    EnforcerSession open();
}
