package dev.sandbox.domain.policy;

import dev.sandbox.domain.ValueStyle;
import java.util.List;
import java.util.Locale;
import org.immutables.value.Value;

/**
 * What happens to the files inside write grants that a person's own tools run or obey when the step is long over: git hooks, editor
 * settings, shell profiles. They are blocked from writing where the backend can, and told of when they changed all the same.
 * Immutable.
 */
@Value.Immutable
@ValueStyle
public interface TrustHandoff {
    /** Where the list begins. */
    enum Protection {
        /** With the names that are known. */
        DEFAULT,
        /** Empty. */
        NONE;

        /** The name in policies. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where the list begins. */
    @Value.Default
    default Protection protect() {
        return Protection.DEFAULT;
    }

    /** More names, relative to the root of a write grant or a folder above work_dir. */
    List<String> add();

    /** Names that are taken out of the list. */
    List<String> remove();

    static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link TrustHandoff}. */
    final class Builder extends ImmutableTrustHandoff.Builder {}
}
