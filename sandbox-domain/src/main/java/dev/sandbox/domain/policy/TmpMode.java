package dev.sandbox.domain.policy;

import java.util.Locale;

/** Which /tmp the step sees. */
public enum TmpMode {
    /** Private where the backend can, else TMPDIR is redirected only. */
    AUTO,
    /** A private /tmp; implies the guarantee tmp.private. */
    PRIVATE,
    /** The /tmp of the host, readable and writable. */
    HOST,
    /** Neither a private /tmp nor the one of the host. */
    NONE;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
