package dev.sandbox.docker;

import dev.sandbox.domain.ValueStyle;
import java.util.Locale;
import org.immutables.value.Value;

/** What an engine says of itself. Immutable. */
@Value.Immutable
@ValueStyle
public interface EngineFacts {
    /** How user ids inside relate to those of the host. */
    enum UserIds {
        /** They are the same. */
        HOST,
        /** The engine's owner is uid 0 inside. */
        ROOTLESS,
        /** Shifted, unless a container asks for the host's. */
        REMAPPED
    }

    /** Whose engine it is: what is asked for in the same words is not always the same. */
    enum Kind {
        /** Docker's own, and what does not say otherwise. */
        DOCKER,
        /** Podman, by the API that it has in common with Docker. */
        PODMAN
    }

    /** Whose engine it is. */
    Kind kind();

    /** The engine's version. */
    String version();

    /** The version of its API. */
    String apiVersion();

    /** 1 or 2; empty when it does not say. */
    String cgroupVersion();

    /** How user ids relate. */
    UserIds userIds();

    /** Where {@code network: allow} leads. */
    ContainerNetwork open();

    /** For people. */
    default String detail() {
        return kind().name().toLowerCase(Locale.ROOT) + " " + version() + ", API " + apiVersion() + ", cgroup v"
                + cgroupVersion()
                + (userIds() == UserIds.ROOTLESS ? ", rootless" : "")
                + (open() == ContainerNetwork.HOST ? ", no bridge" : "");
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link EngineFacts}. */
    final class Builder extends ImmutableEngineFacts.Builder {}
}
