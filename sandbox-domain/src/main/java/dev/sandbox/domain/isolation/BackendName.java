package dev.sandbox.domain.isolation;

import java.util.List;
import java.util.Optional;

/**
 * The name of a mechanism that enforces policies, as policies, options and results write it. An open set, so that a backend of one's
 * own has a name: {@code BackendName.of("gvisor")}. Ordered as texts are. Immutable, thread-safe.
 *
 * <p>Not a record: a record's {@code equals} is linked at run time, which the start of a command would pay for.
 */
public final class BackendName implements Comparable<BackendName> {
    /** The longest name, in characters. */
    public static final int LONGEST = 32;

    /** Landlock, applied in-process on a throw-away thread. */
    public static final BackendName LANDLOCK = new BackendName("landlock");

    /** Mount, PID and network namespaces. */
    public static final BackendName MOUNTNS = new BackendName("mountns");

    /** A container of a Docker engine. */
    public static final BackendName DOCKER = new BackendName("docker");

    private static final List<BackendName> STANDARD = List.of(LANDLOCK, MOUNTNS, DOCKER);

    private final String id;

    private BackendName(String id) {
        this.id = id;
    }

    /**
     * A name by its text.
     *
     * @throws IllegalArgumentException unless it has 1 to 32 characters of {@code a-z 0-9 -} and begins with a letter, or when it is
     *     {@code auto}, which means any backend; the message says so, for people
     */
    public static BackendName of(String id) {
        if (!isName(id)) {
            throw new IllegalArgumentException("\"" + id + "\" is no name of a backend: use 1 to " + LONGEST
                    + " characters of a-z, 0-9 and -, with a letter first, and not auto");
        }
        return new BackendName(id);
    }

    /** Those of this distribution. */
    public static List<BackendName> standard() {
        return STANDARD;
    }

    /** One of this distribution by its text. */
    public static Optional<BackendName> findStandard(String id) {
        for (BackendName name : STANDARD) {
            if (name.id.equals(id)) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    /** True for a text that {@link #of} takes. */
    public static boolean isName(String id) {
        if (id.isEmpty() || id.length() > LONGEST || id.equals("auto") || !isLetter(id.charAt(0))) {
            return false;
        }
        for (int i = 1; i < id.length(); i++) {
            char c = id.charAt(i);
            if (!isLetter(c) && c != '-' && (c < '0' || c > '9')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z';
    }

    /** The name in policies, options and results. */
    public String id() {
        return id;
    }

    @Override
    public int compareTo(BackendName other) {
        return id.compareTo(other.id);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BackendName name && id.equals(name.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return id;
    }
}
