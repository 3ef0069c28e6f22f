package dev.sandbox.app.config;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import java.util.LinkedHashMap;
import java.util.Map;

/** A policy as its document, every key written out. */
final class RenderedPolicy {
    private RenderedPolicy() {}

    static Map<String, Object> of(SandboxPolicy policy) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("base_dir", policy.baseDir().toString());
        document.put("work_dir", policy.workDir());
        document.put("read_paths", policy.readPaths());
        document.put("write_paths", policy.writePaths());
        document.put("list_paths", policy.listPaths());
        document.put("blocked_paths", policy.blockedPaths());
        document.put("blocked_write_paths", policy.blockedWritePaths());
        document.put("extra_system_paths", policy.extraSystemPaths());
        document.put("cache_dir", policy.cacheDir().orElse(null));
        document.put("on_missing", policy.onMissing().map(mode -> mode.id()).orElse(null));
        document.put("home", policy.home().id());
        document.put("toolchains", policy.toolchains().id());
        document.put("package_config", policy.packageConfig().id());
        document.put("tmp", policy.tmp() == TmpMode.AUTO ? null : policy.tmp().id());
        document.put("proc", policy.proc().id());
        document.put(
                "host_devices",
                policy.hostDevices().stream().map(device -> device.id()).toList());
        document.put("user_namespaces", policy.userNamespaces().id());
        document.put("allow_sockets", policy.allowSockets());
        document.put("network", network(policy.network()));
        document.put("environment", environment(policy.environment()));
        document.put("limits", limits(policy.limits()));
        document.put("run_as", policy.runAs().map(RenderedPolicy::runAs).orElse(null));
        document.put(
                "trust_handoff",
                Map.of(
                        "protect", policy.trustHandoff().protect().id(),
                        "add", policy.trustHandoff().add(),
                        "remove", policy.trustHandoff().remove()));
        document.put("backend", policy.backend().map(name -> name.id()).orElse("auto"));
        document.put("image", policy.image().orElse(null));
        document.put("require", policy.require().stream().map(Guarantee::id).toList());
        return document;
    }

    private static Object network(NetworkPolicy network) {
        return switch (network.mode()) {
            case ALLOW -> "allow";
            case NONE -> "none";
            case TCP -> Map.of("tcp_connect", network.tcpConnect(), "tcp_bind", network.tcpBind());
            case DOMAINS -> Map.of("domains", network.domains());
        };
    }

    private static Map<String, Object> environment(EnvironmentPolicy environment) {
        return Map.of(
                "mode", environment.mode().id(),
                "inherit", environment.inherit().id(),
                "set", environment.set(),
                "pass", environment.pass(),
                "block", environment.block(),
                "mask", environment.mask());
    }

    private static Map<String, Object> limits(Limits limits) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put(
                "timeout", limits.timeout().map(time -> time.toMillis() + "ms").orElse(null));
        document.put("output", limits.output());
        limits.memory().ifPresent(bytes -> document.put("memory", bytes + "B"));
        limits.processes().ifPresent(count -> document.put("processes", count));
        limits.fileSize().ifPresent(bytes -> document.put("file_size", bytes));
        limits.openFiles().ifPresent(count -> document.put("open_files", count));
        limits.cpuTime().ifPresent(time -> document.put("cpu_time", time.toMillis() + "ms"));
        return document;
    }

    private static Object runAs(RunAs identity) {
        if (identity.uid().isEmpty()) {
            return "owner";
        }
        long uid = identity.uid().getAsLong();
        return identity.gid().isPresent() ? uid + ":" + identity.gid().getAsLong() : String.valueOf(uid);
    }
}
