package dev.sandbox.linux;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.linux.seccomp.BpfProgram;
import dev.sandbox.linux.spawn.Argument;
import java.util.Optional;
import org.immutables.value.Value;

/** What a child gives up before it becomes its program. Immutable. */
@Value.Immutable
@ValueStyle
public interface Confinement {
    /** As whom it runs, without supplementary groups, if not as the caller. */
    Optional<Identity> runAs();

    /** Whether its capabilities end with what it was prepared by. Only the watchdog and tests keep them. */
    @Value.Default
    default Privileges privileges() {
        return Privileges.NONE;
    }

    /** A Landlock ruleset that it is restricted by: a descriptor of the JVM's, or a slot that an earlier entry has filled. */
    Optional<Argument> ruleset();

    /** The system calls that it may make. Installed last. */
    Optional<BpfProgram> filter();

    /** What a child may do. */
    enum Privileges {
        /** No capability, and nothing that it executes gives it one. */
        NONE,
        /** As the caller. */
        INHERITED
    }

    /** A child that is as free as the caller. */
    static Confinement none() {
        return builder().privileges(Privileges.INHERITED).build();
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link Confinement}. */
    final class Builder extends ImmutableConfinement.Builder {}
}
