package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * From a policy as written to canonical rules, on one host. Gathers every problem before it gives up. Stateless apart from one
 * run's findings; use a new one for each policy.
 */
public final class PolicyResolver {
    private static final String EXTRA_SYSTEM_PATHS = "SANDBOX_EXTRA_SYSTEM_PATHS";

    private final SandboxPolicy policy;
    private final Host host;
    private final List<Toolchain> tools;
    private final List<Problem> problems = new ArrayList<>();
    private final List<SkippedGrant> skipped = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final TreeMap<AccessRule, AccessRule> rules = new TreeMap<>();
    private final TreeMap<AbsolutePath, AbsolutePath> names = new TreeMap<>();
    private final TreeSet<AbsolutePath> toCreate = new TreeSet<>();
    private final List<AbsolutePath> writableDirectories = new ArrayList<>();
    private final AbsolutePath baseDir;
    private final GrantLimits limits;

    private PolicyResolver(SandboxPolicy policy, Host host, List<Toolchain> tools) {
        this.policy = policy;
        this.tools = List.copyOf(tools);
        this.host = host;
        this.limits = new GrantLimits(host);
        this.baseDir = existingDirectory("base_dir", policy.baseDir().toString(), host.follow(policy.baseDir()));
    }

    /**
     * Resolves the policy.
     *
     * @throws PolicyInvalidException with all problems found
     */
    public static ResolvedPolicy resolve(SandboxPolicy policy, Host host) {
        return resolve(policy, host, List.of());
    }

    /**
     * The same, with what the caller has of tools.
     *
     * @param tools what {@code toolchains: path} gives; empty when the policy does not ask for it
     */
    public static ResolvedPolicy resolve(SandboxPolicy policy, Host host, List<Toolchain> tools) {
        PolicyResolver resolver = new PolicyResolver(policy, host, tools);
        ResolvedPolicy resolved = resolver.resolve();
        if (!resolver.problems.isEmpty()) {
            throw new PolicyInvalidException(resolver.problems);
        }
        return resolved;
    }

    private ResolvedPolicy resolve() {
        grants("write_paths", policy.writePaths(), Access.WRITE);
        grants("read_paths", policy.readPaths(), Access.READ);
        grants("list_paths", policy.listPaths(), Access.LIST);
        grants("extra_system_paths", policy.extraSystemPaths(), Access.READ);
        for (String path : host.extraSystemPaths()) {
            // No index: a deployment's folder does not contradict a policy's block, the block wins.
            RuleSource source = new RuleSource(EXTRA_SYSTEM_PATHS, -1, path);
            locate(source).ifPresent(found -> grant(source, found, Access.READ));
        }
        toolchains();
        new ModeGrants(policy, host, problems).rules().forEach(rule -> rules.putIfAbsent(rule, rule));
        addBaseline();
        blocks("blocked_paths", policy.blockedPaths(), Access.BLOCKED);
        blocks("blocked_write_paths", policy.blockedWritePaths(), Access.BLOCKED_WRITE);
        List<AbsolutePath> sockets =
                new SocketGrants(host, rules.values(), problems).check(baseDir, policy.allowSockets());
        limits.reachOf(rules.values(), problems);
        AbsolutePath workDir = workDir();
        Contradictions.find(
                rules.values(), policy.policyFile().map(this::places).orElse(Set.of()), problems);
        Optional<AbsolutePath> base = redirectionBase(workDir);
        Optional<AbsolutePath> cacheBase =
                policy.cacheDir().isPresent() ? cacheDir(policy.cacheDir().get()) : base;
        Optional<Identity> runAs = new OtherIdentity(host, toCreate, problems).find(policy.runAs(), workDir);
        TrustedPaths trusted = new TrustedPaths(host, rules.values());
        List<AbsolutePath> bases =
                Stream.concat(base.stream(), cacheBase.stream()).toList();
        trusted.find(policy.trustHandoff(), workDir, bases, problems);
        trusted.rules().forEach(rule -> rules.putIfAbsent(rule, rule));
        return ResolvedPolicy.builder()
                .policy(policy)
                .toolchains(tools)
                .watched(trusted.watched())
                .baseDir(baseDir)
                .workDir(workDir)
                .rules(rules.values())
                .names(names)
                .directoriesToCreate(toCreate)
                .tmpBase(base)
                .cacheBase(cacheBase)
                .runAs(runAs)
                .skipped(skipped)
                .notes(notes)
                .allowedSockets(sockets)
                .build();
    }

    private void grants(String key, List<String> paths, Access access) {
        for (int i = 0; i < paths.size(); i++) {
            RuleSource source = new RuleSource(key, i, paths.get(i));
            locate(source).ifPresent(found -> grant(source, found, access));
        }
    }

    private void grant(RuleSource source, PathResolution found, Access access) {
        Optional<Problem> refusal = limits.refusal(source, found.path(), access);
        if (refusal.isPresent()) {
            problems.add(refusal.get());
            return;
        }
        switch (found.kind()) {
            case MISSING -> missing(source, found, access);
            case DENIED -> skip(source, found, access, "this account may not look at it");
            case SYMLINK -> problem(source, "is a loop of symbolic links", "point it at a file or directory");
            case DIRECTORY, FILE, SOCKET, FIFO, DEVICE -> add(source, found.path(), found.kind(), access);
        }
    }

    private void missing(RuleSource source, PathResolution found, Access access) {
        if (BlockPattern.isPattern(source.written()) && source.index() >= 0) {
            problem(source, "does not exist, and a grant is no pattern", "name the folder that holds them");
            return;
        }
        switch (onMissing(source, access)) {
            case SKIP -> skip(source, found, access, "it does not exist");
            case REFUSE -> problem(source, "does not exist", "create it, or set on_missing");
            case CREATE -> create(source, found, access);
        }
    }

    private OnMissing onMissing(RuleSource source, Access access) {
        if (source.key().equals(EXTRA_SYSTEM_PATHS)) {
            return OnMissing.SKIP;
        }
        return policy.onMissing().orElse(access == Access.WRITE ? OnMissing.CREATE : OnMissing.SKIP);
    }

    private void create(RuleSource source, PathResolution found, Access access) {
        if (isLinkItself(host.named(baseDir, source.written()))) {
            problem(
                    source,
                    "is a symbolic link to " + found.path() + ", which does not exist",
                    "create the target first");
        } else if (policy.onMissing().isEmpty() && !baseDir.contains(found.path())) {
            problem(source, "does not exist and lies outside base_dir", "create it first, or set on_missing: create");
        } else {
            addMissingDirectories(source, found.path());
            add(source, found.path(), EntryKind.DIRECTORY, access);
        }
    }

    private boolean isLinkItself(AbsolutePath written) {
        AbsolutePath parent =
                host.follow(written.parent().orElse(AbsolutePath.ROOT)).path();
        return host.files().kind(parent.resolve(written.name())) == EntryKind.SYMLINK;
    }

    private void addMissingDirectories(RuleSource source, AbsolutePath path) {
        AbsolutePath above = path;
        while (host.files().kind(above) == EntryKind.MISSING) {
            toCreate.add(above);
            above = above.parent().orElse(AbsolutePath.ROOT);
        }
        if (host.files().kind(above) != EntryKind.DIRECTORY) {
            problem(source, "cannot be created: " + above + " is not a directory", "name another place");
        }
    }

    private void blocks(String key, List<String> paths, Access access) {
        for (int i = 0; i < paths.size(); i++) {
            RuleSource source = new RuleSource(key, i, paths.get(i));
            if (BlockPattern.isPattern(source.written()) && !stands(source)) {
                pattern(source, access);
            } else {
                locate(source).ifPresent(found -> block(source, found, access));
            }
        }
    }

    /** A file may be called so. */
    private boolean stands(RuleSource source) {
        try {
            return host.follow(host.named(baseDir, source.written())).kind() != EntryKind.MISSING;
        } catch (IllegalArgumentException noPath) {
            return false;
        }
    }

    private void pattern(RuleSource source, Access access) {
        try {
            for (AbsolutePath path :
                    BlockPattern.expand(source.written(), baseDir, List.copyOf(rules.values()), host)) {
                PathResolution found = host.follow(path);
                if (found.kind() != EntryKind.MISSING) { // a link to nothing
                    block(source, found, access);
                }
            }
            notes.add(source + " is a pattern: it covers what fits now, not what comes to fit while the session lasts");
        } catch (IllegalArgumentException e) {
            problem(source, String.valueOf(e.getMessage()), "name the paths");
        }
    }

    /** A link to nothing may climb back by {@code ..}: what it names then stands, and is blocked as what it is. */
    private void block(RuleSource source, PathResolution found, Access access) {
        EntryKind kind = found.kind() == EntryKind.MISSING ? host.files().kind(found.path()) : found.kind();
        switch (kind) {
            case DENIED ->
                problem(
                        source,
                        "cannot be examined by this account, so the block cannot be enforced",
                        "block the folder above it");
            case SYMLINK -> problem(source, "is a loop of symbolic links", "point it at a file or directory");
            case DIRECTORY, FILE, SOCKET, FIFO, DEVICE, MISSING -> add(source, found.path(), kind, access);
        }
    }

    /** Where a written path leads; reports what is wrong with it. */
    private Optional<PathResolution> locate(RuleSource source) {
        Optional<PathResolution> found = follow(source);
        // From base_dir as it is written, which may be a link, too.
        found.ifPresent(end -> host.follow(host.named(policy.baseDir(), source.written()))
                .names()
                .forEach(name -> names.putIfAbsent(name, end.path())));
        return found;
    }

    private Optional<PathResolution> follow(RuleSource source) {
        String written = source.written();
        if (written.isEmpty()) {
            problem(source, "is empty", "write . for base_dir");
            return Optional.empty();
        }
        AbsolutePath named;
        try {
            named = host.named(baseDir, written);
        } catch (IllegalArgumentException e) {
            problem(source, String.valueOf(e.getMessage()), "");
            return Optional.empty();
        }
        PathResolution found = host.follow(named);
        if (!written.startsWith("/") && !baseDir.contains(found.path())) {
            problem(
                    source,
                    "leaves base_dir " + baseDir + ": it leads to " + found.path(),
                    "write it as an absolute path to grant that on purpose");
            return Optional.empty();
        }
        return Optional.of(found);
    }

    /** No index: a block of the policy wins over what is found on a PATH, and does not contradict it. */
    private void toolchains() {
        for (Toolchain tool : tools) {
            tool.grants().forEach((path, kind) -> {
                RuleSource source = new RuleSource(RuleSource.TOOLCHAINS, -1, tool.tool() + " " + path);
                if (limits.refusal(source, path, Access.READ).isEmpty()) {
                    add(source, path, kind, Access.READ);
                }
            });
        }
    }

    private void addBaseline() {
        for (BaselineEntry entry : host.baseline().entries()) {
            PathResolution found = host.follow(entry.path());
            switch (found.kind()) {
                case MISSING, DENIED, SYMLINK, SOCKET, FIFO -> {}
                case DIRECTORY, FILE, DEVICE ->
                    add(
                            new RuleSource(RuleSource.BASELINE, -1, entry.path().toString()),
                            found.path(),
                            found.kind(),
                            entry.access());
            }
        }
    }

    /** The first to name a path for one kind of access is kept as its source. */
    private void add(RuleSource source, AbsolutePath path, EntryKind kind, Access access) {
        AccessRule rule = new AccessRule(path, kind, access, source);
        rules.putIfAbsent(rule, rule);
        if (access == Access.WRITE && kind == EntryKind.DIRECTORY && source.index() >= 0) {
            writableDirectories.add(path);
        }
    }

    private AbsolutePath workDir() {
        String written = policy.workDir().isEmpty() ? "." : policy.workDir();
        RuleSource source = new RuleSource("work_dir", -1, written);
        Optional<PathResolution> found = locate(source);
        if (found.isEmpty()) {
            return baseDir;
        }
        AbsolutePath path = found.get().path();
        if (!toCreate.contains(path)) {
            existingDirectory("work_dir", written, found.get());
        }
        boolean granted = rules.values().stream()
                .anyMatch(rule -> !rule.access().isBlock() && rule.source().index() >= 0 && rule.covers(path));
        if (!baseDir.contains(path) && !granted) {
            problem(source, "lies outside base_dir and every grant", "choose a directory inside " + baseDir);
        }
        rules.values().stream()
                .filter(rule -> rule.access() == Access.BLOCKED && rule.covers(path))
                .forEach(rule -> problem(source, "lies inside " + rule.source(), "work elsewhere"));
        return path;
    }

    /** A file is lost to who may write it, and to who may replace the link that names it. */
    private Set<AbsolutePath> places(AbsolutePath file) {
        AbsolutePath parent =
                host.follow(file.parent().orElse(AbsolutePath.ROOT)).path();
        return new TreeSet<>(
                List.of(parent.resolve(file.name()), host.follow(file).path()));
    }

    private Optional<AbsolutePath> redirectionBase(AbsolutePath workDir) {
        if (isWritable(workDir)) {
            return Optional.of(workDir);
        }
        return writableDirectories.stream().filter(this::isWritable).findFirst();
    }

    private Optional<AbsolutePath> cacheDir(String written) {
        RuleSource source = new RuleSource("cache_dir", -1, written);
        Optional<PathResolution> found = locate(source);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        AbsolutePath path = found.get().path();
        EntryKind kind =
                toCreate.contains(path) ? EntryKind.DIRECTORY : found.get().kind();
        if (!isWritable(path)) {
            problem(source, "does not lie inside a write grant", "add it to write_paths");
        } else if (kind == EntryKind.MISSING) {
            addMissingDirectories(source, path);
        } else if (kind != EntryKind.DIRECTORY) {
            problem(source, "is not a directory", "name a directory");
        }
        return Optional.of(path);
    }

    /** True when a write grant of the policy reaches this path and no block does. */
    private boolean isWritable(AbsolutePath path) {
        boolean granted = writableDirectories.stream().anyMatch(grant -> grant.contains(path));
        return granted
                && rules.values().stream().noneMatch(rule -> rule.access().isBlock() && rule.covers(path));
    }

    private AbsolutePath existingDirectory(String key, String written, PathResolution found) {
        switch (found.kind()) {
            case DIRECTORY -> {}
            case MISSING ->
                problems.add(new Problem(key, quoted(written) + " does not exist", "create it, or name another"));
            case DENIED ->
                problems.add(new Problem(key, quoted(written) + " cannot be examined by this account", "name another"));
            case FILE, SYMLINK, SOCKET, FIFO, DEVICE ->
                problems.add(new Problem(key, quoted(written) + " is not a directory", "name a directory"));
        }
        return found.path();
    }

    private void skip(RuleSource source, PathResolution found, Access access, String reason) {
        if (access == Access.WRITE && onMissing(source, access) != OnMissing.SKIP) {
            problem(source, reason, "name a path that this account may write");
        } else if (!source.key().equals(EXTRA_SYSTEM_PATHS)) {
            skipped.add(new SkippedGrant(source, found.path().toString(), reason));
        }
    }

    private void problem(RuleSource source, String what, String fix) {
        problems.add(new Problem(source.where(), quoted(source.written()) + " " + what, fix));
    }

    private static String quoted(String written) {
        return "\"" + written + "\"";
    }
}
