package dev.sandbox.core;

import dev.sandbox.docker.DefaultImage;
import dev.sandbox.docker.DockerBackend;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.linux.HostPlaceholders;

/** The one class here that names {@code sandbox-docker}, which may be absent. */
final class Containers {
    private Containers() {}

    /** Loads no more than {@link #backend} would, and runs nothing of it. */
    static boolean areOnTheClassPath() {
        try {
            Class.forName("dev.sandbox.docker.DockerBackend", false, Containers.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }

    static IsolationBackend backend(HostParts parts) {
        return new DockerBackend(
                parts.host(), parts.files(), new HostPlaceholders(parts.syscalls()), DefaultImage.find());
    }
}
