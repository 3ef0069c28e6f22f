package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.problem.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What of a person's trust lies inside the write grants: at the root of each, and in every folder from there down to work_dir. What
 * exists gets a rule; all of it is watched. A write grant of the policy at such a path, or inside, lifts its protection.
 */
final class TrustedPaths {
    private static final String KEY = "trust_handoff";

    private final Host host;
    private final GitFolders git;
    private final List<AccessRule> granted;
    private final List<AccessRule> blocks;
    private final TreeSet<AbsolutePath> needed = new TreeSet<>();
    private final List<AccessRule> found = new ArrayList<>();
    private final TreeSet<AbsolutePath> watched = new TreeSet<>();

    /** @param rules those of the policy, with neither baseline nor trust in need of being among them */
    TrustedPaths(Host host, Collection<AccessRule> rules) {
        this.host = host;
        this.git = new GitFolders(host);
        this.granted = rules.stream()
                .filter(rule -> rule.access() == Access.WRITE
                        && rule.kind() == EntryKind.DIRECTORY
                        && rule.source().index() >= 0)
                .toList();
        this.blocks = rules.stream().filter(rule -> rule.access().isBlock()).toList();
    }

    /** Looks; {@code needed} are folders that the step works in, which stay writable whatever they are called. */
    void find(TrustHandoff policy, AbsolutePath workDir, Collection<AbsolutePath> alsoNeeded, List<Problem> problems) {
        Set<String> names = names(policy, problems);
        needed.add(workDir);
        needed.addAll(alsoNeeded);
        for (AbsolutePath root : roots(workDir)) {
            names.stream()
                    .filter(name -> !name.equals(TrustedNames.GIT_HOOKS) && !name.equals(TrustedNames.GIT_CONFIG))
                    .forEach(name -> add(root.resolve(name), name));
            gitOf(root, names);
        }
    }

    /** Rules for what stands. */
    List<AccessRule> rules() {
        return found;
    }

    /** What a change of is told, standing or not. */
    Set<AbsolutePath> watched() {
        return watched;
    }

    private static Set<String> names(TrustHandoff policy, List<Problem> problems) {
        Set<String> names = new LinkedHashSet<>();
        if (policy.protect() == TrustHandoff.Protection.DEFAULT) {
            names.addAll(TrustedNames.DEFAULT);
        }
        for (int i = 0; i < policy.add().size(); i++) {
            String name = policy.add().get(i);
            if (isRelative(name)) {
                names.add(AbsolutePath.ROOT.relativize(AbsolutePath.ROOT.resolve(name)));
            } else {
                String what = "\"" + name + "\" is no name inside a write grant";
                problems.add(
                        new Problem(KEY + ".add[" + i + "]", what, "write it without / at its begin and without .."));
            }
        }
        for (int i = 0; i < policy.remove().size(); i++) {
            if (!names.remove(policy.remove().get(i))) {
                String what = "\"" + policy.remove().get(i) + "\" is not in the list";
                problems.add(new Problem(KEY + ".remove[" + i + "]", what, "docs/policy.md shows the list"));
            }
        }
        return names;
    }

    private static boolean isRelative(String name) {
        try {
            return !name.startsWith("/") && !AbsolutePath.ROOT.resolve(name).equals(AbsolutePath.ROOT);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Set<AbsolutePath> roots(AbsolutePath workDir) {
        Set<AbsolutePath> roots = new TreeSet<>();
        granted.forEach(grant -> roots.add(grant.path()));
        if (isGranted(workDir)) {
            roots.add(workDir);
            workDir.ancestors().stream().filter(this::isGranted).forEach(roots::add);
        }
        return roots;
    }

    private void gitOf(AbsolutePath root, Set<String> names) {
        boolean hooks = names.contains(TrustedNames.GIT_HOOKS);
        boolean settings = names.contains(TrustedNames.GIT_CONFIG);
        AbsolutePath dotGit = root.resolve(".git");
        if (settings && host.files().kind(dotGit) == EntryKind.FILE) {
            add(dotGit, TrustedNames.GIT_CONFIG); // who may write the pointer chooses the settings
        }
        Set<AbsolutePath> folders = git.of(root);
        for (AbsolutePath folder : folders.isEmpty() ? Set.of(dotGit) : folders) {
            if (hooks) {
                add(folder.resolve("hooks"), TrustedNames.GIT_HOOKS);
            }
            if (settings) {
                List.of("config", "config.worktree", "commondir")
                        .forEach(name -> add(folder.resolve(name), TrustedNames.GIT_CONFIG));
            }
        }
    }

    private void add(AbsolutePath path, String name) {
        EntryKind kind = kind(path);
        if (kind == EntryKind.SYMLINK) {
            watched.add(path);
            PathResolution target = host.follow(path);
            protect(target.path(), target.kind(), name);
        } else {
            protect(path, kind, name);
        }
    }

    /** {@code SYMLINK} also for a link on the way; a root is canonical, so what lies above it need not be looked at. */
    private EntryKind kind(AbsolutePath path) {
        AbsolutePath parent = path.parent().orElse(AbsolutePath.ROOT);
        boolean direct = granted.stream().anyMatch(grant -> grant.path().equals(parent));
        EntryKind above = direct ? EntryKind.DIRECTORY : host.files().kind(parent);
        return above == EntryKind.DIRECTORY || above == EntryKind.SYMLINK
                ? above == EntryKind.SYMLINK ? above : host.files().kind(path)
                : EntryKind.MISSING;
    }

    private void protect(AbsolutePath path, EntryKind kind, String name) {
        if (!isGranted(path) || isLifted(path) || blocks.stream().anyMatch(rule -> rule.covers(path))) {
            return;
        }
        watched.add(path);
        if (kind == EntryKind.DIRECTORY || kind == EntryKind.FILE) {
            found.add(new AccessRule(path, kind, Access.BLOCKED_WRITE, new RuleSource(RuleSource.TRUST, -1, name)));
        }
    }

    private boolean isGranted(AbsolutePath path) {
        return granted.stream().anyMatch(rule -> rule.covers(path));
    }

    private boolean isLifted(AbsolutePath path) {
        return needed.stream().anyMatch(path::contains)
                || granted.stream().anyMatch(rule -> path.contains(rule.path()));
    }
}
