package dev.sandbox.domain.policy;

import dev.sandbox.domain.ValueStyle;
import java.util.List;
import java.util.Map;
import org.immutables.value.Value;

/** What the policy says of the child's environment. Immutable. Values may be secret: {@link #toString} shows names only. */
@Value.Immutable
@ValueStyle
public abstract class EnvironmentPolicy {
    /** How it is derived. */
    @Value.Default
    public EnvironmentMode mode() {
        return EnvironmentMode.NATIVE;
    }

    /** What native mode inherits. */
    @Value.Default
    public Inheritance inherit() {
        return Inheritance.SCRUBBED;
    }

    /** Set as given; wins over everything derived. */
    public abstract Map<String, String> set();

    /** Names of the caller's that are let through although they look like secrets. */
    public abstract List<String> pass();

    /** Names, or prefixes ending in {@code *}, that are not inherited. */
    public abstract List<String> block();

    /** Names, passed or set, whose values are replaced by {@code ***} in what the step prints. */
    public abstract List<String> mask();

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String toString() {
        return "EnvironmentPolicy{mode=" + mode().id() + ", inherit="
                + inherit().id() + ", set=" + set().keySet() + ", pass=" + pass() + ", block=" + block() + ", mask="
                + mask() + "}";
    }

    /** Builds an {@link EnvironmentPolicy}. */
    public static final class Builder extends ImmutableEnvironmentPolicy.Builder {}
}
