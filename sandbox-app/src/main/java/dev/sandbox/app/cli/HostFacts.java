package dev.sandbox.app.cli;

import dev.sandbox.linux.HostTools;
import dev.sandbox.linux.UserNamespaceProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code doctor} tells of the host beside the backends: read where the kernel says it, tried where only trying tells. */
final class HostFacts {
    private static final Path STATUS = Path.of("/proc/self/status");

    private static final List<String> TOOLS = List.of("bwrap", "docker", "python3", "pip3", "node", "npm", "git");

    private HostFacts() {}

    /** Facts in a fixed order; each value is a word or a sentence. */
    static Map<String, String> host() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("kernel", read("/proc/sys/kernel/osrelease").orElse("unknown"));
        facts.put("uid", status("Uid").map(ids -> ids.split("\\s+")[1]).orElse("unknown"));
        facts.put("capabilities", status("CapEff").orElse("unknown"));
        facts.put("no_new_privs", status("NoNewPrivs").orElse("unknown"));
        facts.put("seccomp", status("Seccomp").map(HostFacts::seccomp).orElseGet(HostFacts::noSeccomp));
        facts.put("apparmor", apparmor());
        facts.put("cgroup", cgroup());
        facts.put("container", container());
        facts.put("user_namespaces", userNamespaces());
        return facts;
    }

    /** Trusted path and first line of the version for each tool found. */
    static Map<String, String> tools() {
        Map<String, String> found = new LinkedHashMap<>();
        for (String tool : TOOLS) {
            HostTools.locate(tool)
                    .ifPresent(path -> found.put(tool, path + " " + HostTools.firstLine(List.of(path, "--version"))));
        }
        return found;
    }

    private static String seccomp(String mode) {
        return switch (mode) {
            case "0" -> "available, no filter on this process";
            case "2" -> "this process already runs under a filter";
            default -> "mode " + mode;
        };
    }

    /** A sandbox around this process may hide its status; that says nothing of the kernel. */
    private static String noSeccomp() {
        return read(STATUS.toString()).isPresent() ? "not built into this kernel" : "unknown";
    }

    private static String apparmor() {
        Path parameter = Path.of("/sys/module/apparmor/parameters/enabled");
        Optional<String> enabled = read(parameter.toString());
        if (enabled.isEmpty() && (Files.exists(parameter) || !Files.isDirectory(Path.of("/sys/module")))) {
            return "unknown";
        }
        if (enabled.filter("Y"::equals).isEmpty()) {
            return "off";
        }
        String restricted = read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
                .filter("1"::equals)
                .map(one -> ", restricts unprivileged user namespaces")
                .orElse("");
        return "on, profile " + read("/proc/self/attr/current").orElse("unknown") + restricted;
    }

    private static String cgroup() {
        if (Files.exists(Path.of("/sys/fs/cgroup/cgroup.controllers"))) {
            return "v2";
        }
        return Files.isDirectory(Path.of("/sys/fs/cgroup")) ? "v1 or hybrid" : "not mounted";
    }

    private static String container() {
        if (Files.exists(Path.of("/.dockerenv"))) {
            return "inside a docker container";
        }
        if (Files.exists(Path.of("/run/.containerenv"))) {
            return "inside a podman container";
        }
        return Optional.ofNullable(System.getenv("container"))
                .map(kind -> "inside " + kind)
                .orElse("none seen");
    }

    /** Tried, not guessed: sysctls, AppArmor and a surrounding seccomp filter can each forbid it. */
    private static String userNamespaces() {
        return UserNamespaceProbe.failure().map(why -> "cannot be made: " + why).orElse("can be made");
    }

    private static Optional<String> status(String key) {
        return read(STATUS.toString())
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith(key + ":")).findFirst())
                .map(line -> line.substring(key.length() + 1).trim());
    }

    /** Absent where this process may not look: a fact that cannot be had is told as such. */
    private static Optional<String> read(String file) {
        try {
            return Optional.of(Files.readString(Path.of(file)).trim());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
