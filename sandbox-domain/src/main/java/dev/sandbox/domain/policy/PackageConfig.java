package dev.sandbox.domain.policy;

import java.util.Locale;

/** What becomes of the package managers' settings in the caller's HOME, which a private HOME hides. */
public enum PackageConfig {
    /** They are not seen. */
    PRIVATE,
    /** What is no credential is carried over: addresses of indexes, registries, mirrors and proxies, CA files, the author for git. */
    INHERIT;

    /** The name in policies and JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
