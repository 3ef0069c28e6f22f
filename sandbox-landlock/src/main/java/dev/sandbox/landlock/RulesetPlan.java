package dev.sandbox.landlock;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.isolation.IsolationPlan;
import java.util.ArrayList;
import java.util.Collections;
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

    /** {@code handled_access_net}: BIND_TCP and CONNECT_TCP when the network is closed and the ABI has them. */
    default long handledNetBits() {
        return network() == Network.CLOSED && abi().atLeast(LandlockAbi.NETWORK) ? 0b11 : 0;
    }

    /** {@code scoped}: ABSTRACT_UNIX_SOCKET and SIGNAL where the ABI has them. */
    default long scopedBits() {
        return abi().atLeast(LandlockAbi.SCOPES) ? 0b11 : 0;
    }

    @Override
    default List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("landlock ruleset, ABI " + abi().version());
        lines.add("handled: " + names(handledFs()));
        lines.add("network: "
                + (network() == Network.CLOSED
                        ? "closed (seccomp" + (handledNetBits() != 0 ? ", bind_tcp, connect_tcp)" : ")")
                        : "open"));
        lines.add("scoped: " + (scopedBits() != 0 ? "abstract_unix_socket signal" : "nothing"));
        rules().forEach(rule ->
                lines.add("allow " + rule.path() + " (" + rule.kind().id() + "): " + names(rule.rights())));
        return Collections.unmodifiableList(lines);
    }

    @Override
    default Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("backend", "landlock");
        document.put("abi", abi().version());
        document.put("handled_access_fs", list(handledFs()));
        document.put("network", network() == Network.CLOSED ? "closed" : "open");
        document.put("scoped", scopedBits() != 0 ? List.of("abstract_unix_socket", "signal") : List.of());
        document.put("rules", rules().stream().map(RulesetPlan::document).toList());
        return Collections.unmodifiableMap(document);
    }

    private static Map<String, Object> document(PathRule rule) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("path", rule.path().toString());
        document.put("kind", rule.kind().id());
        document.put("allowed_access", list(rule.rights()));
        return document;
    }

    private static List<String> list(Set<FsRight> rights) {
        return rights.stream()
                .sorted()
                .map(right -> right.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static String names(Set<FsRight> rights) {
        return list(rights).stream().collect(Collectors.joining(" "));
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link RulesetPlan}. */
    final class Builder extends ImmutableRulesetPlan.Builder {}
}
