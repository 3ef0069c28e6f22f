package dev.sandbox.app.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sandbox.app.config.PolicyParser;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Lays the document of one order over the server's policy. Its grants replace the server's and stay inside the confines; its blocks
 * and required guarantees add up with the server's; of the rest it may only ask for less. A key that is not named here is the
 * server's to decide, so a key that policies learn later cannot widen anything by accident. One use.
 */
final class PolicyNarrowing {
    private static final Set<String> KEYS = Set.of(
            "base_dir",
            "work_dir",
            "read_paths",
            "write_paths",
            "list_paths",
            "blocked_paths",
            "blocked_write_paths",
            "cache_dir",
            "on_missing",
            "home",
            "tmp",
            "proc",
            "network",
            "environment",
            "limits",
            "backend",
            "require");
    private static final Set<String> ENVIRONMENT_KEYS = Set.of("mode", "inherit", "set", "block");
    private static final Set<String> LIMIT_KEYS =
            Set.of("timeout", "output", "memory", "processes", "file_size", "open_files", "cpu_time");

    private final ServicePolicy service;
    private final List<Problem> problems;
    private final Set<String> paths;
    private JsonNode document = MissingNode.getInstance();
    private SandboxPolicy asked;
    private AbsolutePath baseDir;

    /**
     * Narrowing for one order.
     *
     * @param problems are added to
     * @param paths gathers the order's paths as written
     */
    PolicyNarrowing(ServicePolicy service, List<Problem> problems, Set<String> paths) {
        this.service = service;
        this.problems = problems;
        this.paths = paths;
        this.asked = service.standard();
        this.baseDir = service.standard().baseDir();
    }

    SandboxPolicy.Builder begin(StepOrder order) {
        SandboxPolicy standard = service.standard();
        if (order.policy().isPresent()) {
            document = order.policy().get();
            asked = parsed(document);
            refuseOthers("policy.", document, KEYS);
            if (document.hasNonNull("base_dir")) {
                path("policy.base_dir", asked.baseDir().toString());
                baseDir = asked.baseDir();
                standard = AnchoredPolicy.of(standard);
            }
        }
        SandboxPolicy.Builder merged = SandboxPolicy.builder().from(standard).baseDir(baseDir);
        lists(standard, order.guard(), merged);
        if (document.isObject()) {
            settings(standard, merged);
        }
        return merged;
    }

    private SandboxPolicy parsed(JsonNode policy) {
        try {
            return PolicyParser.parse(policy, service.standard().baseDir());
        } catch (PolicyInvalidException e) {
            throw new PolicyInvalidException(e.problems().stream()
                    .map(problem -> new Problem(inPolicy(problem.where()), problem.what(), problem.fix()))
                    .toList());
        }
    }

    private static String inPolicy(String where) {
        return where.isEmpty() ? "policy" : "policy." + where;
    }

    private void refuseOthers(String prefix, JsonNode node, Set<String> allowed) {
        node.fieldNames().forEachRemaining(key -> {
            if (!allowed.contains(key)) {
                problems.add(new Problem(prefix + key, "is the server's to decide", "leave it out"));
            }
        });
    }

    private void lists(SandboxPolicy standard, Optional<StepOrder.FolderGuard> guard, SandboxPolicy.Builder merged) {
        boolean own = guard.isPresent()
                || document.hasNonNull("read_paths")
                || document.hasNonNull("write_paths")
                || document.hasNonNull("list_paths");
        if (own) {
            merged.readPaths(both("read_paths", guard.map(StepOrder.FolderGuard::readPaths), asked.readPaths()));
            merged.writePaths(both("write_paths", guard.map(StepOrder.FolderGuard::writePaths), asked.writePaths()));
            merged.listPaths(both("list_paths", Optional.empty(), asked.listPaths()));
        }
        List<String> blocked = new ArrayList<>(standard.blockedPaths());
        blocked.addAll(both("blocked_paths", guard.map(StepOrder.FolderGuard::blockedPaths), asked.blockedPaths()));
        merged.blockedPaths(blocked);
        List<String> blockedWrite = new ArrayList<>(standard.blockedWritePaths());
        blockedWrite.addAll(both(
                "blocked_write_paths", guard.map(StepOrder.FolderGuard::blockedWritePaths), asked.blockedWritePaths()));
        merged.blockedWritePaths(blockedWrite);
    }

    /** The order's own entries, from both of its places. */
    private List<String> both(String key, Optional<List<String>> ofGuard, List<String> ofPolicy) {
        List<String> entries = new ArrayList<>();
        List<String> guarded = ofGuard.orElse(List.of());
        for (int i = 0; i < guarded.size(); i++) {
            path("folder_guard." + key + "[" + i + "]", guarded.get(i));
            entries.add(guarded.get(i));
        }
        for (int i = 0; document.hasNonNull(key) && i < ofPolicy.size(); i++) {
            path("policy." + key + "[" + i + "]", ofPolicy.get(i));
            entries.add(ofPolicy.get(i));
        }
        return entries;
    }

    private void path(String where, String written) {
        service.confines().problem(where, written, baseDir).ifPresent(problems::add);
        paths.add(written);
    }

    void workDir(String where, String written, SandboxPolicy.Builder merged) {
        path(where, written);
        merged.workDir(written);
    }

    private void settings(SandboxPolicy standard, SandboxPolicy.Builder merged) {
        if (document.hasNonNull("work_dir")) {
            workDir("policy.work_dir", asked.workDir(), merged);
        }
        asked.cacheDir().filter(written -> document.hasNonNull("cache_dir")).ifPresent(written -> {
            path("policy.cache_dir", written);
            merged.cacheDir(written);
        });
        asked.onMissing().filter(any -> document.hasNonNull("on_missing")).ifPresent(merged::onMissing);
        asked.require().forEach(merged::addRequire);
        if (document.hasNonNull("home")) {
            narrower("home", asked.home() == HomeMode.PRIVATE || asked.home() == standard.home());
            merged.home(asked.home());
        }
        if (document.hasNonNull("tmp")) {
            narrower("tmp", isNarrower(asked.tmp(), standard.tmp()));
            merged.tmp(asked.tmp());
        }
        if (document.hasNonNull("proc")) {
            narrower("proc", asked.proc().compareTo(standard.proc()) <= 0);
            merged.proc(asked.proc());
        }
        if (document.hasNonNull("network")) {
            narrower("network", NetworkNarrowing.isNarrower(asked.network(), standard.network()));
            merged.network(asked.network());
        }
        asked.backend().filter(any -> document.hasNonNull("backend")).ifPresent(wanted -> {
            narrower(
                    "backend",
                    standard.backend().filter(own -> !own.equals(wanted)).isEmpty());
            merged.backend(wanted);
        });
    }

    private static boolean isNarrower(TmpMode asked, TmpMode own) {
        return switch (asked) {
            case PRIVATE, NONE -> true;
            case AUTO -> own == TmpMode.AUTO || own == TmpMode.HOST;
            case HOST -> own == TmpMode.HOST;
        };
    }

    private void narrower(String key, boolean narrower) {
        if (!narrower) {
            problems.add(
                    new Problem("policy." + key, "is wider than the server's policy", "ask for less, or leave it out"));
        }
    }

    /** The server's limits, or lower ones. Without a timeout: see {@link #timeout}. */
    Limits limits() {
        Limits own = service.standard().limits();
        JsonNode node = document.path("limits");
        refuseOthers("policy.limits.", node, LIMIT_KEYS);
        Limits.Builder merged = Limits.builder().from(own);
        if (node.hasNonNull("output")) {
            lower("output", asked.limits().output(), OptionalLong.of(own.output()));
            merged.output(asked.limits().output());
        }
        lower(node, "memory", asked.limits().memory(), own.memory()).ifPresent(merged::memory);
        lower(node, "processes", asked.limits().processes(), own.processes()).ifPresent(merged::processes);
        lower(node, "file_size", asked.limits().fileSize(), own.fileSize()).ifPresent(merged::fileSize);
        lower(node, "open_files", asked.limits().openFiles(), own.openFiles()).ifPresent(merged::openFiles);
        asked.limits().cpuTime().filter(any -> node.hasNonNull("cpu_time")).ifPresent(wanted -> {
            Optional<Duration> most = own.cpuTime();
            if (most.isPresent() && wanted.compareTo(most.get()) > 0) {
                more("cpu_time", wanted.toSeconds() + " s", most.get().toSeconds() + " s");
            }
            merged.cpuTime(wanted);
        });
        return merged.build();
    }

    private OptionalLong lower(JsonNode node, String key, OptionalLong wanted, OptionalLong own) {
        if (!node.hasNonNull(key)) {
            return OptionalLong.empty();
        }
        wanted.ifPresent(value -> lower(key, value, own));
        return wanted;
    }

    private void lower(String key, long wanted, OptionalLong own) {
        if (own.isPresent() && wanted > own.getAsLong()) {
            more(key, String.valueOf(wanted), String.valueOf(own.getAsLong()));
        }
    }

    private void more(String key, String wanted, String own) {
        problems.add(new Problem(
                "policy.limits." + key, wanted + " is more than the server's " + own, "ask for less, or leave it out"));
    }

    /** The timeout of the order's policy. */
    Optional<Duration> timeout() {
        return document.path("limits").hasNonNull("timeout") ? asked.limits().timeout() : Optional.empty();
    }

    /** The variables of the order's policy. */
    Map<String, String> variables() {
        return document.path("environment").hasNonNull("set")
                ? asked.environment().set()
                : Map.of();
    }

    /** The server's rules for variables, or stricter ones. */
    EnvironmentPolicy environment() {
        EnvironmentPolicy own = service.standard().environment();
        JsonNode node = document.path("environment");
        refuseOthers("policy.environment.", node, ENVIRONMENT_KEYS);
        EnvironmentPolicy.Builder merged = EnvironmentPolicy.builder().from(own);
        if (node.hasNonNull("mode")) {
            EnvironmentMode mode = asked.environment().mode();
            narrower("environment.mode", mode == EnvironmentMode.CONTAINER || mode == own.mode());
            merged.mode(mode);
        }
        if (node.hasNonNull("inherit")) {
            Inheritance inherit = asked.environment().inherit();
            narrower("environment.inherit", inherit == Inheritance.LISTED || inherit == own.inherit());
            merged.inherit(inherit);
        }
        if (node.hasNonNull("block")) {
            merged.addAllBlock(asked.environment().block());
        }
        return merged.build();
    }
}
