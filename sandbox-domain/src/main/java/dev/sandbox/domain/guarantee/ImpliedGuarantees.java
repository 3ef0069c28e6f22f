package dev.sandbox.domain.guarantee;

import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a policy needs of a backend: what its content implies, and what it requires by name. */
public final class ImpliedGuarantees {
    private ImpliedGuarantees() {}

    /** All guarantees without which the policy would be enforced less than it says. */
    public static Set<Guarantee> of(ResolvedPolicy resolved) {
        SandboxPolicy policy = resolved.policy();
        EnumSet<Guarantee> needed = EnumSet.of(Guarantee.FS_READ, Guarantee.FS_WRITE);
        needed.addAll(policy.require());
        if (resolved.effectiveBlocks().findAny().isPresent()) {
            needed.add(Guarantee.FS_CARVE_OUT);
        }
        if (policy.tmp() == TmpMode.PRIVATE) {
            needed.add(Guarantee.TMP_PRIVATE);
        }
        if (resolved.runAs().isPresent()) {
            needed.add(Guarantee.RUN_AS);
        }
        switch (policy.network().mode()) {
            case ALLOW -> {}
            case NONE -> needed.add(Guarantee.NET_NONE);
            case TCP -> needed.add(Guarantee.NET_TCP);
            case DOMAINS -> needed.add(Guarantee.NET_DOMAINS);
        }
        addLimits(policy.limits(), needed);
        return Collections.unmodifiableSet(needed);
    }

    private static void addLimits(Limits limits, EnumSet<Guarantee> needed) {
        if (limits.memory().isPresent()) {
            needed.add(Guarantee.LIMIT_MEMORY);
        }
        if (limits.processes().isPresent()) {
            needed.add(Guarantee.LIMIT_PROCESSES);
        }
        if (limits.fileSize().isPresent()) {
            needed.add(Guarantee.LIMIT_FILE_SIZE);
        }
        if (limits.openFiles().isPresent()) {
            needed.add(Guarantee.LIMIT_OPEN_FILES);
        }
        if (limits.cpuTime().isPresent()) {
            needed.add(Guarantee.LIMIT_CPU_TIME);
        }
    }
}
