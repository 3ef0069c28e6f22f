package dev.sandbox.landlock;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.linux.landlock.FsRight;
import dev.sandbox.linux.landlock.LandlockAbi;
import dev.sandbox.linux.landlock.NetRight;
import dev.sandbox.linux.landlock.PathRule;
import dev.sandbox.linux.landlock.PortRule;
import dev.sandbox.linux.landlock.Scope;
import dev.sandbox.linux.seccomp.SyscallFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.immutables.value.Value;

/** One ruleset: what it handles, and what it then allows. File, network and scope go in one, or REFER is lost. Immutable. */
@Value.Immutable
@ValueStyle
public interface RulesetPlan extends IsolationPlan {
    /** Whether inet sockets exist for the step at all. */
    enum Network {
        /** Unrestricted. */
        OPEN,
        /** TCP on the ports of the rules; the filter leaves no other internet socket. */
        PORTS,
        /** Closed: by a seccomp filter, and for TCP by the ruleset as well where the ABI can. */
        CLOSED
    }

    /** The ABI that it was planned for. */
    LandlockAbi abi();

    /** Rights that are denied unless a rule allows them. */
    Set<FsRight> handledFs();

    /** One for each path, sorted. */
    @Value.NaturalOrder
    SortedSet<PathRule> rules();

    /** The step's network. */
    Network network();

    /** Ports that may be bound or connected to, sorted. */
    @Value.NaturalOrder
    SortedSet<PortRule> ports();

    /** Whether each run has a cgroup of its own, to be killed as one. */
    @Value.Default
    default boolean ownCgroup() {
        return false;
    }

    /** What the step may not ask of the kernel. */
    SyscallFilter filter();

    /** {@code handled_access_net}: BIND_TCP and CONNECT_TCP unless the network is open, where the ABI has them. */
    default Set<NetRight> handledNet() {
        return network() == Network.OPEN ? Set.of() : NetRight.of(abi());
    }

    /** {@code scoped}: ABSTRACT_UNIX_SOCKET and SIGNAL where the ABI has them. */
    default Set<Scope> scopes() {
        return Scope.of(abi());
    }

    @Override
    default List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("landlock ruleset, ABI " + abi().version());
        lines.add("handled: " + names(handledFs()));
        lines.add("network: " + networkLine());
        lines.add("scoped: " + (scopes().isEmpty() ? "nothing" : names(scopes())));
        rules().forEach(rule ->
                lines.add("allow " + rule.path() + " (" + rule.kind().id() + "): " + names(rule.rights())));
        ports().forEach(rule -> lines.add(rule.line()));
        if (ownCgroup()) {
            lines.add("cgroup: one for each run");
        }
        lines.addAll(filter().lines());
        return Collections.unmodifiableList(lines);
    }

    private String networkLine() {
        String handled = handledNet().isEmpty() ? " (seccomp)" : " (seccomp, bind_tcp, connect_tcp)";
        return switch (network()) {
            case OPEN -> "open";
            case PORTS -> "ports" + handled;
            case CLOSED -> "closed" + handled;
        };
    }

    @Override
    default List<String> listing() {
        return filter().listing();
    }

    @Override
    default Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("backend", "landlock");
        document.put("abi", abi().version());
        document.put("handled_access_fs", list(handledFs()));
        document.put("network", network().name().toLowerCase(Locale.ROOT));
        document.put("scoped", list(scopes()));
        document.put("rules", rules().stream().map(RulesetPlan::document).toList());
        document.put("ports", ports().stream().map(PortRule::document).toList());
        document.put("cgroup", ownCgroup());
        document.put("seccomp", filter().document());
        return Collections.unmodifiableMap(document);
    }

    private static Map<String, Object> document(PathRule rule) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("path", rule.path().toString());
        document.put("kind", rule.kind().id());
        document.put("allowed_access", list(rule.rights()));
        return document;
    }

    private static List<String> list(Set<? extends Enum<?>> rights) {
        return rights.stream()
                .sorted(Comparator.comparingInt(Enum::ordinal))
                .map(right -> right.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static String names(Set<? extends Enum<?>> rights) {
        return list(rights).stream().collect(Collectors.joining(" "));
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link RulesetPlan}. */
    final class Builder extends ImmutableRulesetPlan.Builder {}
}
