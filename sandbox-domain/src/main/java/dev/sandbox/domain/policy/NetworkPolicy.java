package dev.sandbox.domain.policy;

import dev.sandbox.domain.ValueStyle;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import org.immutables.value.Value;

/** Which network the step may use. Immutable. */
@Value.Immutable
@ValueStyle
public interface NetworkPolicy {
    /** The kind of restriction. */
    enum Mode {
        /** The host's network, unrestricted. */
        ALLOW,
        /** No network at all, loopback of the host included. */
        NONE,
        /** TCP to and on named ports only; no UDP. */
        TCP,
        /** Named domains only. */
        DOMAINS
    }

    /** The kind of restriction. */
    Mode mode();

    /** Ports that may be connected to, 1 to 65535. */
    @Value.NaturalOrder
    SortedSet<Integer> tcpConnect();

    /** Ports that may be bound, 0 to 65535. */
    @Value.NaturalOrder
    SortedSet<Integer> tcpBind();

    /** Domain names, with {@code *.} as a prefix and {@code :PORT} as a suffix allowed, each once, canonical. */
    List<String> domains();

    /**
     * The same with every domain in the form of {@link DomainRule}, so that nothing decides on a spelling.
     *
     * @throws IllegalArgumentException for people, if one is no {@link DomainRule}
     */
    @Value.Check
    default NetworkPolicy canonical() {
        if (domains().isEmpty()) {
            return this;
        }
        Set<String> canonical = new LinkedHashSet<>();
        for (String domain : domains()) {
            canonical.add(DomainRule.parse(domain).toString());
        }
        List<String> names = List.copyOf(canonical);
        return names.equals(domains())
                ? this
                : builder().from(this).domains(names).build();
    }

    /** Unrestricted. */
    static NetworkPolicy allow() {
        return builder().mode(Mode.ALLOW).build();
    }

    /** No network. */
    static NetworkPolicy none() {
        return builder().mode(Mode.NONE).build();
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link NetworkPolicy}. */
    final class Builder extends ImmutableNetworkPolicy.Builder {}
}
