package dev.sandbox.domain.environment;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Derives a step's environment: one builder for every backend, so that native and container set the same package-manager
 * variables to the same values. What the policy sets by name wins over everything derived. Pure.
 */
public final class EnvironmentBuilder {
    /** Below the base of caches: the private HOME. */
    public static final String HOME = ".home";

    /** Below the base of caches: what can be fetched again. */
    public static final String CACHE = ".cache";

    /** Below the base of caches: what the step installed. */
    public static final String LOCAL = ".local";

    /** The folder of TMPDIR, unless a short one takes its place. */
    public static final String TMP = ".tmp";

    private static final List<String> STANDARD_PATH =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

    /** Nothing lives there on any Debian or Fedora: an absent HOME reads as "no settings", a forbidden one as an error. */
    private static final String NO_HOME = "/nonexistent";

    /** Point into the caller's HOME; with a private HOME their defaults lie below it. */
    private static final Set<String> FOLLOW_HOME =
            Set.of("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR");

    /** Say who the caller is; a step that runs as somebody else asks the system for its own name. */
    private static final Set<String> NAME_THE_CALLER = Set.of(
            "USER",
            "LOGNAME",
            "USERNAME",
            "MAIL",
            "XDG_RUNTIME_DIR",
            "SUDO_USER",
            "SUDO_UID",
            "SUDO_GID",
            "SUDO_COMMAND");

    /** Name a server of the caller's own in its /tmp: a step that starts tmux or screen means another. */
    private static final Set<String> OTHERS_TERMINALS = Set.of("TMUX", "TMUX_PANE", "TMUX_TMPDIR", "STY");

    private static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";
    private static final String RUSTUP_HOME = "RUSTUP_HOME";

    /** In bytes; masking a shorter value would tear words apart that have nothing to do with it. */
    private static final int SHORTEST_MASKED = 4;

    private final EnvironmentRequest request;
    private final TreeMap<String, String> variables = new TreeMap<>();
    private final TreeSet<AbsolutePath> directories = new TreeSet<>();
    private final TreeSet<AbsolutePath> ignoredByGit = new TreeSet<>();
    private final TreeMap<AbsolutePath, String> files = new TreeMap<>();
    private final List<AbsolutePath> leftOut = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private EnvironmentBuilder(EnvironmentRequest request) {
        this.request = request;
    }

    /** Derives the environment. */
    public static EnvironmentPlan build(EnvironmentRequest request) {
        return new EnvironmentBuilder(request).build();
    }

    private EnvironmentPlan build() {
        switch (request.policy().mode()) {
            case NATIVE -> inherit();
            case CONTAINER -> strictList();
        }
        variables.putAll(PackageManagers.always());
        home();
        request.cacheBase().ifPresent(this::redirect);
        request.settings().variables().forEach(variables::putIfAbsent);
        request.cacheBase().ifPresent(this::settingsFiles);
        variables.putAll(request.toolVariables());
        request.tmpDir().ifPresent(this::redirectTmp);
        pass();
        variables.putAll(request.policy().set());
        return EnvironmentPlan.builder()
                .variables(variables)
                .directories(directories)
                .ignoredByGit(ignoredByGit)
                .files(files)
                .leftOut(leftOut)
                .masked(masked())
                .notes(notes)
                .build();
    }

    private void inherit() {
        request.host().forEach((name, value) -> {
            if (EnvironmentNames.isPortable(name) && inherits(name, value)) {
                variables.put(name, value);
            }
        });
        variables.put("PATH", repairedPath());
        if (variables.keySet().stream().noneMatch(name -> name.equals("LANG") || name.equals("LC_ALL"))) {
            variables.put("LANG", "C.UTF-8");
        }
        if (request.home() == HomeMode.PRIVATE) {
            variables.keySet().removeAll(FOLLOW_HOME);
        }
        variables.keySet().removeAll(OTHERS_TERMINALS);
        if (request.runAs().isPresent()) {
            variables.keySet().removeAll(NAME_THE_CALLER);
        }
    }

    private boolean inherits(String name, String value) {
        if (SecretNames.isSecret(name, value)
                || EnvironmentNames.matchesAny(name, request.policy().block())) {
            return false;
        }
        return request.policy().inherit() == Inheritance.SCRUBBED || EnvironmentNames.isListed(name);
    }

    private void strictList() {
        Set<String> path = toolFolders();
        path.addAll(STANDARD_PATH);
        variables.put("PATH", String.join(":", path));
        variables.put("USER", "agent");
        variables.put("SHELL", "/bin/sh");
        variables.put("LANG", "C.UTF-8");
        variables.put("LC_ALL", "C.UTF-8");
    }

    /** The caller's entries first and in order, then the standard ones that are missing; no blank, relative or repeated entry. */
    private String repairedPath() {
        LinkedHashSet<AbsolutePath> written = new LinkedHashSet<>();
        for (String entry : request.host().getOrDefault("PATH", "").split(":", -1)) {
            directory(entry.trim()).ifPresent(written::add);
        }
        Set<String> entries = toolFolders();
        for (AbsolutePath directory : written) {
            if (request.pathFilter().keeps(directory)) {
                entries.add(directory.toString());
            } else {
                leftOut.add(directory);
                notes.add("PATH entry " + directory + " left out: no grant covers it");
            }
        }
        entries.addAll(STANDARD_PATH);
        return String.join(":", entries);
    }

    private Set<String> toolFolders() {
        Set<String> folders = new LinkedHashSet<>();
        for (AbsolutePath folder : request.toolFolders()) {
            if (folder.toString().indexOf(':') < 0) {
                folders.add(folder.toString());
            }
        }
        return folders;
    }

    private static Optional<AbsolutePath> directory(String entry) {
        try {
            return Optional.of(AbsolutePath.of(entry));
        } catch (IllegalArgumentException blankOrRelative) {
            return Optional.empty(); // such an entry means "the current directory", which a step could fill
        }
    }

    private void home() {
        Optional<String> inherited = Optional.ofNullable(request.host().get("HOME"));
        switch (request.home()) {
            case INHERIT -> inherited.ifPresent(home -> variables.put("HOME", home));
            case PRIVATE -> variables.put("HOME", privateHome());
        }
    }

    private String privateHome() {
        return request.cacheBase().map(base -> folder(base, HOME).toString()).orElse(NO_HOME);
    }

    private void redirect(AbsolutePath base) {
        folder(base, CACHE);
        folder(base, LOCAL);
        Optional<String> toolchains = callersToolchains();
        variables.putAll(Redirections.below(base));
        toolchains.ifPresent(folder -> variables.put(RUSTUP_HOME, folder));
        variables.putAll(PackageManagers.maven(base, variables.getOrDefault("MAVEN_OPTS", "")));
        if (base.toString().indexOf(':')
                < 0) { // PATH has no way to quote one: its rest would be read as a relative entry
            searchFirst(Redirections.programs(base));
        }
    }

    /** The caller's rustup folder, where the step may use it: what a caller's cargo runs lies there. */
    private Optional<String> callersToolchains() {
        return Optional.ofNullable(variables.get(RUSTUP_HOME))
                .filter(named ->
                        directory(named).filter(request.pathFilter()::keeps).isPresent());
    }

    private void settingsFiles(AbsolutePath base) {
        PackageSettings settings = request.settings();
        AbsolutePath home = base.resolve(HOME);
        settings.home().forEach((place, text) -> file(home.resolve(place), text));
        if (!settings.cargo().isEmpty()) {
            file(base.resolve(".cache/cargo/config.toml"), settings.cargo());
        }
        if (settings.home().containsKey(".m2/settings.xml")) {
            // Java takes the home from the system's accounts, not from HOME.
            variables.putAll(PackageManagers.javaHome(home, variables.getOrDefault("MAVEN_OPTS", "")));
        }
    }

    private void file(AbsolutePath path, String text) {
        path.parent().ifPresent(directories::add);
        files.put(path, text);
    }

    private void searchFirst(List<String> folders) {
        String programs = String.join(":", folders);
        variables.merge("PATH", programs, (path, first) -> first + ":" + path);
    }

    private AbsolutePath folder(AbsolutePath base, String name) {
        AbsolutePath folder = base.resolve(name);
        directories.add(folder);
        ignoredByGit.add(folder);
        return folder;
    }

    private void redirectTmp(AbsolutePath tmp) {
        directories.add(tmp);
        if (tmp.name().equals(TMP)) {
            ignoredByGit.add(tmp);
        }
        for (String name : List.of("TMPDIR", "TMP", "TEMP")) {
            variables.put(name, tmp.toString());
        }
        variables.put("TMPPREFIX", tmp.resolve("zsh").toString());
        if (request.systemTmp() == SystemTmp.CLOSED) {
            variables.put("TMUX_TMPDIR", tmp.toString());
            javaTmp(tmp.toString());
        }
    }

    /** The one variable of the java command for options; it prints a line about it, but without it no temporary file can be made. */
    private void javaTmp(String tmp) {
        boolean quotable = tmp.indexOf('"') < 0 && tmp.indexOf('\'') < 0;
        if (quotable
                && !EnvironmentNames.matchesAny(JAVA_OPTIONS, request.policy().block())) {
            boolean blank = tmp.chars().anyMatch(Character::isWhitespace);
            String option = blank ? "\"-Djava.io.tmpdir=" + tmp + "\"" : "-Djava.io.tmpdir=" + tmp;
            variables.put(JAVA_OPTIONS, (variables.getOrDefault(JAVA_OPTIONS, "") + " " + option).trim());
        }
    }

    private void pass() {
        for (String name : request.policy().pass()) {
            String value = request.host().get(name);
            if (value == null) {
                notes.add("environment variable " + name + " is to be passed, but is not set");
            } else {
                variables.put(name, value);
            }
        }
    }

    /** One that is passed but not set has no value, which is noted already. */
    private List<String> masked() {
        List<Problem> problems = new ArrayList<>();
        List<String> values = new ArrayList<>();
        List<String> names = request.policy().mask();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            String value = variables.get(name);
            String where = "environment.mask[" + i + "]";
            if (!request.policy().pass().contains(name)
                    && !request.policy().set().containsKey(name)) {
                problems.add(new Problem(where, name + " is neither passed nor set", "add it to environment.pass"));
            } else if (value != null && value.getBytes(StandardCharsets.UTF_8).length < SHORTEST_MASKED) {
                problems.add(new Problem(
                        where,
                        "the value of " + name + " is shorter than " + SHORTEST_MASKED
                                + " bytes: masking it would tear the output apart",
                        "do not mask it, or choose a longer secret"));
            } else if (value != null) {
                values.add(value);
            }
        }
        if (!problems.isEmpty()) {
            throw new PolicyInvalidException(problems);
        }
        return values;
    }
}
