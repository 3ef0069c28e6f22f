package dev.sandbox.linux;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.Slot;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * What is built around a child before it is born: namespaces and their mounts, by a process that ends when it has started the child.
 * Immutable.
 */
@Value.Immutable
@ValueStyle
public interface Surroundings {
    /** Namespaces that the building process is born into; flags of clone(2). */
    long cloneFlags();

    /** Made while the building process shares the JVM's descriptors: what it opens there, the JVM has. */
    List<Entry> shared();

    /** Made with descriptors of its own. */
    List<Entry> entries();

    /** The first process of the new PID namespace, whose clone is one of the entries. It lives on, and belongs to the run. */
    Optional<Entry.Clone> init();

    /** Namespaces that the child itself is born into; flags of clone(2). */
    @Value.Default
    default long childFlags() {
        return 0;
    }

    /** What the child does in them first. */
    List<Entry> childEntries();

    /** Which capabilities the building process has and the child may keep permitted: all, in a user namespace of their own. */
    @Value.Default
    default Origin origin() {
        return Origin.CALLER;
    }

    /** Whether the entries have seen to it already that nothing which is executed has a capability. */
    @Value.Default
    default CapabilitySets capabilities() {
        return CapabilitySets.DROPPED_AT_EXEC;
    }

    /** What the child is born with. */
    enum CapabilitySets {
        /** It has to see to it itself. */
        HELD,
        DROPPED_AT_EXEC
    }

    /** Slots whose content is wanted: the descriptors that {@link #shared} opens. */
    List<Slot> results();

    /** In whose user namespace the building process works. */
    enum Origin {
        /** The caller's. */
        CALLER,
        /** One of its own, in which it may do everything. */
        USER_NAMESPACE
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link Surroundings}. */
    final class Builder extends ImmutableSurroundings.Builder {}
}
