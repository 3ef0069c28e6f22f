package dev.sandbox.app.config;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.PolicyDigest;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import dev.sandbox.domain.resolve.SkippedGrant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A policy as it is enforced on this host, as JSON. Of variables the names alone: values may be secret. */
public final class PolicyDocument {
    private PolicyDocument() {}

    /** The rules and settings, and which backend would enforce them. */
    public static Map<String, Object> of(ResolvedPolicy resolved, Enforcement enforcement) {
        SandboxPolicy policy = resolved.policy();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("digest", PolicyDigest.of(resolved));
        document.put("base_dir", resolved.baseDir().toString());
        document.put("work_dir", resolved.workDir().toString());
        document.put("rules", rules(resolved));
        document.put("network", network(policy.network()));
        document.put("limits", ResultDocument.of(policy.limits()));
        document.put("home", policy.home().id());
        document.put("tmp", policy.tmp().id());
        document.put("proc", policy.proc().id());
        document.put("environment", environment(policy.environment()));
        document.put("notes", notes(resolved));
        document.put("backend", enforcement.backend().map(BackendName::id).orElse(null));
        document.put("weaker", enforcement.weaker());
        document.put("refused", enforcement.refusal().orElse(null));
        return document;
    }

    private static List<Map<String, Object>> rules(ResolvedPolicy resolved) {
        List<Map<String, Object>> rules = new ArrayList<>();
        for (AccessRule rule : resolved.rules()) {
            // What the sandbox adds for one run differs from run to run.
            if (!rule.source().key().equals(RuleSource.SANDBOX)) {
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("access", rule.access().id());
                entry.put("path", rule.path().toString());
                entry.put("source", rule.source().where());
                rules.add(entry);
            }
        }
        return rules;
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
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("mode", environment.mode().id());
        document.put("inherit", environment.inherit().id());
        document.put("set", new TreeSet<>(environment.set().keySet()));
        document.put("pass", environment.pass());
        document.put("block", environment.block());
        return document;
    }

    private static List<String> notes(ResolvedPolicy resolved) {
        List<String> notes = new ArrayList<>();
        resolved.skipped().stream().map(SkippedGrant::note).forEach(notes::add);
        notes.addAll(resolved.notes());
        return notes;
    }
}
