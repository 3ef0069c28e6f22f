package dev.sandbox.app.mcp;

import dev.sandbox.app.service.ServicePolicy;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.policy.Toolchains;
import dev.sandbox.domain.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The tool's description: what a model may do with it, so that it need not find out by being denied. */
final class PolicyWords {
    /** Of one list: a description is sent with every conversation. */
    private static final int MOST_PATHS = 30;

    private PolicyWords() {}

    static String of(ServicePolicy service) {
        SandboxPolicy policy = service.standard();
        List<String> lines = new ArrayList<>();
        lines.add("Run a shell command by /bin/sh -c in a sandbox. The kernel enforces this policy:");
        lines.add("- relative paths start at " + policy.baseDir() + ", commands in "
                + policy.baseDir().resolve(policy.workDir()));
        lines.add("- may read and execute: " + listed(readable(policy)));
        lines.add("- may write: " + listed(writable(policy)));
        addUnlessEmpty(lines, "- may list names only: ", policy.listPaths());
        addUnlessEmpty(lines, "- must not read or write: ", policy.blockedPaths());
        addUnlessEmpty(lines, "- must not write: ", policy.blockedWritePaths());
        lines.add("- network: " + network(policy.network()));
        lines.add("- timeout: " + service.unasked().toSeconds() + " s, or what the call names, at most "
                + service.most().toSeconds() + " s");
        lines.add("What is denied stays denied: ask the user for the grant. explain_access answers before you try.");
        return lines.stream().map(Problem::oneLine).collect(Collectors.joining("\n"));
    }

    private static List<String> readable(SandboxPolicy policy) {
        List<String> paths = new ArrayList<>();
        paths.add("the system's programs and libraries");
        if (policy.toolchains() == Toolchains.PATH) {
            paths.add("the user's tools on PATH");
        }
        paths.addAll(policy.extraSystemPaths());
        paths.addAll(policy.readPaths());
        paths.addAll(policy.writePaths());
        return paths;
    }

    private static List<String> writable(SandboxPolicy policy) {
        List<String> paths = new ArrayList<>(policy.writePaths());
        if (policy.tmp() == TmpMode.HOST) {
            paths.add("/tmp");
        }
        paths.add("$TMPDIR");
        return paths;
    }

    private static void addUnlessEmpty(List<String> lines, String what, List<String> paths) {
        if (!paths.isEmpty()) {
            lines.add(what + listed(paths));
        }
    }

    private static String listed(List<String> paths) {
        String listed = paths.stream().limit(MOST_PATHS).collect(Collectors.joining(", "));
        return paths.size() <= MOST_PATHS ? listed : listed + " and " + (paths.size() - MOST_PATHS) + " more";
    }

    private static String network(NetworkPolicy network) {
        return switch (network.mode()) {
            case ALLOW -> "on";
            case NONE -> "off";
            case TCP ->
                "TCP only, to ports " + network.tcpConnect()
                        + (network.tcpBind().isEmpty() ? "" : ", listening on " + network.tcpBind());
            case DOMAINS -> "to " + listed(network.domains()) + " only";
        };
    }
}
