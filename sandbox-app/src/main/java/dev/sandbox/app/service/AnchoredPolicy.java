package dev.sandbox.app.service;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.util.List;

/** A policy whose relative paths were made absolute, so that they mean the same under another base_dir. */
final class AnchoredPolicy {
    private AnchoredPolicy() {}

    static SandboxPolicy of(SandboxPolicy policy) {
        AbsolutePath base = policy.baseDir();
        SandboxPolicy.Builder anchored = SandboxPolicy.builder()
                .from(policy)
                .readPaths(all(base, policy.readPaths()))
                .writePaths(all(base, policy.writePaths()))
                .listPaths(all(base, policy.listPaths()))
                .blockedPaths(all(base, policy.blockedPaths()))
                .blockedWritePaths(all(base, policy.blockedWritePaths()))
                .extraSystemPaths(all(base, policy.extraSystemPaths()))
                // Where it starts follows the other base_dir.
                .workDir(".");
        policy.cacheDir().map(cache -> anchored(base, cache)).ifPresent(anchored::cacheDir);
        return anchored.build();
    }

    private static List<String> all(AbsolutePath base, List<String> paths) {
        return paths.stream().map(path -> anchored(base, path)).toList();
    }

    /** As a text: what {@code ..} in it means is the host's to say. */
    private static String anchored(AbsolutePath base, String path) {
        return path.startsWith("/") ? path : base + "/" + path;
    }
}
