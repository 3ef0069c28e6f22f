package dev.sandbox.docker;

import dev.sandbox.linux.ProcessIdentity;

/** Which process a container belongs to. */
final class Owner {
    /** The container label that holds its {@link ProcessIdentity}. */
    static final String LABEL = "dev.sandbox.owner";

    private Owner() {}

    /** This process's label. */
    static String self() {
        return ProcessIdentity.self().text();
    }
}
