package dev.sandbox.mountns;

import dev.sandbox.domain.guarantee.Promise;

/** A way to carry out plans. */
interface Enforcer {
    /** What a user can do when one fails. */
    String WAY_OUT = "sandbox doctor tells what this host lacks; another backend may do";

    /** For people: by which way. */
    String name();

    /** Whether it can give a step another identity than the caller's. */
    Promise runAs();

    /** Opens a session; cheap. */
    EnforcerSession open();
}
