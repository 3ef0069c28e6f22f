package dev.sandbox.docker;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.path.AbsolutePath;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.immutables.value.Value;

/** What a plan needs to know besides the request. Immutable. */
@Value.Immutable
@ValueStyle
public interface ContainerSettings {
    /** Name or id of the image. */
    String image();

    /** As whom steps run. */
    ContainerUser user();

    /** Where {@code network: allow} leads: {@code BRIDGE}, or {@code HOST} on an engine without one. */
    ContainerNetwork open();

    /** Mount points of the host: a read-only bind does not reach into them, so each is bound by itself. */
    @Value.NaturalOrder
    SortedSet<AbsolutePath> hostMounts();

    /** Placeholders of other runs: they count as what they stand for, nothing. */
    @Value.NaturalOrder
    SortedSet<AbsolutePath> standing();

    /**
     * Blocked paths that are missing in a folder where the step can make nothing, each with that folder: they need no placeholder, and
     * could not have one.
     */
    @Value.NaturalOrder
    SortedMap<AbsolutePath, AbsolutePath> closed();

    /** Those of these folders that are read-only for this process: for the engine they may be writable, so they are bound read-only. */
    @Value.NaturalOrder
    SortedSet<AbsolutePath> readOnly();

    /** The engine's own socket, when it has one here: who reaches it is root on the host. */
    Optional<AbsolutePath> engineSocket();

    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link ContainerSettings}. */
    final class Builder extends ImmutableContainerSettings.Builder {}
}
