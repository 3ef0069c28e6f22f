package dev.sandbox.domain.resolve;

import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A fingerprint of what is enforced: two policies that resolve to the same rules and settings have the same one. */
public final class PolicyDigest {
    private PolicyDigest() {}

    /** SHA-256 over the canonical rules, the folders and the settings, in hexadecimal; of variables the names alone. */
    public static String of(ResolvedPolicy resolved) {
        SandboxPolicy policy = resolved.policy();
        List<Object> parts = new ArrayList<>();
        parts.add("work_dir " + resolved.workDir());
        resolved.rules().stream()
                .filter(rule -> !rule.source().key().equals(RuleSource.SANDBOX)) // differs from run to run
                .filter(rule -> !rule.isTrustHandoff()) // depends on what stands there
                .forEach(
                        rule -> parts.add(rule.access().id() + " " + rule.kind().id() + " " + rule.path()));
        parts.addAll(List.of(resolved.cacheBase(), resolved.tmpBase(), policy.home(), policy.tmp(), policy.proc()));
        parts.addAll(List.of(policy.network(), policy.limits(), policy.require(), policy.runAs(), policy.image()));
        parts.add(policy.userNamespaces());
        parts.add(policy.hostDevices());
        parts.add(policy.trustHandoff());
        EnvironmentPolicy environment = policy.environment();
        parts.addAll(List.of(environment.mode(), environment.inherit()));
        parts.addAll(List.of(
                new TreeSet<>(environment.set().keySet()),
                new TreeSet<>(environment.pass()),
                new TreeSet<>(environment.block()),
                new TreeSet<>(environment.mask())));
        String text = parts.stream().map(String::valueOf).collect(Collectors.joining("\0"));
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
