package dev.sandbox.mountns;

/** A way to carry out plans. */
interface Enforcer {
    /** What a user can do when one fails. */
    String WAY_OUT = "sandbox doctor tells what this host lacks; another backend may do";

    /** For people: by which way. */
    String name();

    /** Opens a session; cheap. */
    EnforcerSession open();
}
