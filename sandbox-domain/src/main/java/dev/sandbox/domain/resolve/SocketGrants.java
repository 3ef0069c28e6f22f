package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.problem.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** Refuses grants that hand over a service's socket, itself or with the folder it lies in, unless the policy names it. */
final class SocketGrants {
    private static final String KEY = "allow_sockets";

    private final Host host;
    private final Collection<AccessRule> rules;
    private final List<Problem> problems;

    /** @param rules all of the policy's, resolved */
    SocketGrants(Host host, Collection<AccessRule> rules, List<Problem> problems) {
        this.host = host;
        this.rules = rules;
        this.problems = problems;
    }

    /**
     * Looks for sockets that are handed over; those that may be.
     *
     * @param allowed of {@code allow_sockets}, as written
     */
    List<AbsolutePath> check(AbsolutePath baseDir, List<String> allowed) {
        List<AbsolutePath> named = new ArrayList<>();
        for (int i = 0; i < allowed.size(); i++) {
            named(new RuleSource(KEY, i, allowed.get(i)), baseDir, named);
        }
        TreeMap<AbsolutePath, String> services = new TreeMap<>();
        host.serviceSockets().forEach(socket -> {
            PathResolution found = host.follow(socket.path());
            if (found.kind() == EntryKind.SOCKET && !named.contains(found.path()) && !isBlocked(found.path())) {
                services.putIfAbsent(found.path(), socket.service());
            }
        });
        services.forEach((path, service) -> rules.stream()
                .filter(rule -> handsOver(rule, path))
                .forEach(rule -> problems.add(new Problem(
                        rule.source().where(),
                        "\"" + rule.source().written() + "\" hands over the socket " + path + " of " + service
                                + ", and with it what that may do",
                        "grant the folders beside it, block it, or name it in " + KEY))));
        return named;
    }

    private void named(RuleSource source, AbsolutePath baseDir, List<AbsolutePath> named) {
        PathResolution found;
        try {
            found = host.follow(host.named(baseDir, source.written()));
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(source.where(), "\"" + source.written() + "\" " + e.getMessage(), ""));
            return;
        }
        if (found.kind() != EntryKind.SOCKET) {
            problem(source, "is no socket", "name the socket itself");
        } else if (rules.stream().noneMatch(rule -> handsOver(rule, found.path()))) {
            problem(source, "is in no grant", "add it to read_paths or write_paths, or remove it here");
        } else {
            named.add(found.path());
        }
    }

    private boolean isBlocked(AbsolutePath socket) {
        return rules.stream().anyMatch(rule -> rule.access() == Access.BLOCKED && rule.covers(socket));
    }

    private void problem(RuleSource source, String what, String fix) {
        problems.add(new Problem(source.where(), "\"" + source.written() + "\" " + what, fix));
    }

    private static boolean handsOver(AccessRule rule, AbsolutePath socket) {
        boolean gives = !rule.access().isBlock() && rule.access() != Access.LIST;
        return gives && !rule.source().key().equals(RuleSource.BASELINE) && rule.covers(socket);
    }
}
