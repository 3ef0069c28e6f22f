package dev.sandbox.docker;

import java.util.Optional;

/** The image for policies that name none. */
public final class DefaultImage {
    /** Names it; the system property {@code sandbox.docker.image} comes first. */
    public static final String VARIABLE = "SANDBOX_DOCKER_IMAGE";

    private static final String PROPERTY = "sandbox.docker.image";

    private DefaultImage() {}

    /** Absent when nothing names one. */
    public static Optional<String> find() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)))
                .filter(image -> !image.isBlank());
    }
}
