package dev.sandbox.domain.environment;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.path.AbsolutePath;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.immutables.value.Value;

/**
 * The child's environment, whole, and the folders it names. Immutable. Values may be secret: {@link #toString} shows names only.
 */
@Value.Immutable
@ValueStyle
public abstract class EnvironmentPlan {
    /** Every variable of the child, by name; each once. */
    @Value.NaturalOrder
    public abstract SortedMap<String, String> variables();

    /** Folders that must exist, mode 0700, each made without following links. */
    @Value.NaturalOrder
    public abstract SortedSet<AbsolutePath> directories();

    /** Those of the folders that, when they are made, get a {@code .gitignore} of {@code *}. */
    @Value.NaturalOrder
    public abstract SortedSet<AbsolutePath> ignoredByGit();

    /** Files that are written unless one is there, each in a folder that is made for it. */
    @Value.NaturalOrder
    public abstract SortedMap<AbsolutePath, String> files();

    /** Entries of the caller's PATH that the step's lacks, since no grant covers them. */
    public abstract List<AbsolutePath> leftOut();

    /** Values that must not be seen in what the step prints. */
    public abstract List<String> masked();

    /** What was changed or left out, for people; names only. */
    public abstract List<String> notes();

    /** The step's PATH, split; empty when it has none. */
    public List<String> searchPath() {
        return Optional.ofNullable(variables().get("PATH"))
                .map(path -> List.of(path.split(":", -1)))
                .orElse(List.of());
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String toString() {
        return "EnvironmentPlan{names=" + variables().keySet() + ", directories=" + directories() + "}";
    }

    /** Builds an {@link EnvironmentPlan}. */
    public static final class Builder extends ImmutableEnvironmentPlan.Builder {}
}
