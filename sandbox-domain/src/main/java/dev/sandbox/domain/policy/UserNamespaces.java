package dev.sandbox.domain.policy;

import java.util.Locale;

/** Whether a step may make a user namespace, in which it has every capability over what it makes there. */
public enum UserNamespaces {
    /** No: much of the kernel is reached only with such capabilities. */
    DENY,
    /** Yes: browsers and other sandboxes build theirs with it. */
    ALLOW;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
