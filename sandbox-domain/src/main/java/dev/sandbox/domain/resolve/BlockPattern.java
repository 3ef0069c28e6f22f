package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A block that stands for every path that fits: {@code *} and {@code ?} within a name, {@code **} for any number of folders. It is
 * expanded over what the grants give, once, when a policy is resolved. A relative one is looked for below base_dir and below every
 * granted folder: {@code **}{@code /.env} means each {@code .env} that the step could read. Links are not followed while looking.
 */
final class BlockPattern {
    /** More, and a session would take too long to open; a step may have filled the folder. */
    private static final int MOST_ENTRIES = 200_000;

    private final Host host;
    private final boolean absolute;
    private final List<String> names;
    private int looked;

    private BlockPattern(Host host, String written) {
        this.host = host;
        this.absolute = written.startsWith("/");
        this.names = AbsolutePath.ROOT.resolve("./" + written).components();
    }

    /** True for a text that is one. */
    static boolean isPattern(String written) {
        return written.indexOf('*') >= 0 || written.indexOf('?') >= 0;
    }

    /**
     * What fits now.
     *
     * @throws IllegalArgumentException when the text holds {@code ..} or a NUL, or the grants hold too much to look through
     */
    static Set<AbsolutePath> expand(String written, AbsolutePath baseDir, Collection<AccessRule> rules, Host host) {
        BlockPattern pattern = new BlockPattern(host, written);
        Set<AbsolutePath> found = new TreeSet<>();
        List<AccessRule> grants = rules.stream()
                .filter(rule -> !rule.access().isBlock() && !rule.source().key().equals(RuleSource.BASELINE))
                .toList();
        for (AccessRule grant : grants) {
            Set<AbsolutePath> roots = new TreeSet<>();
            if (pattern.absolute) {
                roots.add(AbsolutePath.ROOT);
            } else {
                roots.add(
                        grant.kind() == EntryKind.DIRECTORY
                                ? grant.path()
                                : grant.path().parent().orElse(grant.path()));
                if (baseDir.contains(grant.path())) {
                    roots.add(baseDir);
                }
            }
            roots.forEach(root -> pattern.look(root, grant, found));
        }
        return Collections.unmodifiableSet(found);
    }

    private void look(AbsolutePath root, AccessRule grant, Set<AbsolutePath> found) {
        Deque<AbsolutePath> pending = new ArrayDeque<>(List.of(grant.path()));
        while (!pending.isEmpty()) {
            AbsolutePath path = pending.pop();
            if (++looked > MOST_ENTRIES) {
                throw new IllegalArgumentException(
                        "is a pattern, and the grants hold more than " + MOST_ENTRIES + " entries to look through");
            }
            List<String> below = path.components()
                    .subList(root.components().size(), path.components().size());
            if (fits(below)) {
                found.add(path);
            } else if (host.files().kind(path) == EntryKind.DIRECTORY && mayFitBelow(below)) {
                host.files().details().names(path, MOST_ENTRIES).forEach(name -> pending.push(path.resolve(name)));
            }
        }
    }

    private boolean fits(List<String> path) {
        return reached(path).contains(names.size());
    }

    private boolean mayFitBelow(List<String> path) {
        return reached(path).stream().anyMatch(position -> position < names.size());
    }

    /** How far into the pattern this path leads: the positions after its last name. Linear in both. */
    private Set<Integer> reached(List<String> path) {
        Set<Integer> positions = closed(List.of(0));
        for (String name : path) {
            List<Integer> next = new ArrayList<>();
            for (int position : positions) {
                if (position < names.size() && names.get(position).equals("**")) {
                    next.add(position);
                } else if (position < names.size() && isFit(names.get(position), name)) {
                    next.add(position + 1);
                }
            }
            positions = closed(next);
        }
        return positions;
    }

    /** {@code **} also stands for no folder at all. */
    private Set<Integer> closed(List<Integer> positions) {
        Set<Integer> all = new TreeSet<>();
        for (int position : positions) {
            all.add(position);
            for (int at = position; at < names.size() && names.get(at).equals("**"); at++) {
                all.add(at + 1);
            }
        }
        return all;
    }

    private static boolean isFit(String pattern, String name) {
        if (!isPattern(pattern)) {
            return pattern.equals(name);
        }
        // Greedy, with one way back: never exponential, whatever the name.
        int p = 0;
        int n = 0;
        int star = -1;
        int mark = 0;
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                mark = n;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == name.charAt(n))) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++mark;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
