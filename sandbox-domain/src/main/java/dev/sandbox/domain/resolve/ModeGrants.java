package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.policy.HostDevice;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.problem.Problem;
import java.util.ArrayList;
import java.util.List;

/** What a policy grants by a word instead of a path: {@code proc}, {@code tmp} and {@code host_devices}. One use. */
final class ModeGrants {
    private static final AbsolutePath PROC = AbsolutePath.of("/proc");
    private static final AbsolutePath TMP = AbsolutePath.of("/tmp");
    private static final AbsolutePath SHARED_MEMORY = AbsolutePath.of("/dev/shm");
    private static final AbsolutePath TERMINAL_MAKER = AbsolutePath.of("/dev/ptmx");
    private static final AbsolutePath TERMINALS = AbsolutePath.of("/dev/pts");

    private final SandboxPolicy policy;
    private final Host host;
    private final List<Problem> problems;
    private final List<AccessRule> rules = new ArrayList<>();

    /** @param problems are added to */
    ModeGrants(SandboxPolicy policy, Host host, List<Problem> problems) {
        this.policy = policy;
        this.host = host;
        this.problems = problems;
    }

    List<AccessRule> rules() {
        if (policy.proc() != ProcAccess.NONE && host.files().kind(PROC) == EntryKind.DIRECTORY) {
            RuleSource source = new RuleSource("proc", -1, policy.proc().id());
            rules.add(new AccessRule(PROC, EntryKind.DIRECTORY, Access.READ, source));
        }
        if (policy.tmp() == TmpMode.HOST) {
            hostTmp(new RuleSource("tmp", -1, "host"));
        }
        for (HostDevice device : policy.hostDevices()) {
            share(device, new RuleSource(RuleSource.HOST_DEVICES, -1, device.id()));
        }
        return rules;
    }

    private void hostTmp(RuleSource source) {
        PathResolution tmp = host.follow(TMP);
        if (tmp.kind() == EntryKind.DIRECTORY) {
            rules.add(new AccessRule(tmp.path(), tmp.kind(), Access.WRITE, source));
        } else {
            problems.add(new Problem(source.where(), "\"host\" /tmp is not a directory here", "choose tmp: private"));
        }
        share(source, SHARED_MEMORY, Access.WRITE);
    }

    private void share(HostDevice device, RuleSource source) {
        switch (device) {
            case SHM -> share(source, SHARED_MEMORY, Access.WRITE);
            case PTY -> {
                share(source, TERMINAL_MAKER, Access.DEVICE);
                share(source, TERMINALS, Access.DEVICE);
            }
        }
    }

    /** What is not here is not shared. */
    private void share(RuleSource source, AbsolutePath path, Access access) {
        PathResolution found = host.follow(path);
        if (found.kind() == EntryKind.DIRECTORY || found.kind() == EntryKind.DEVICE) {
            rules.add(new AccessRule(found.path(), found.kind(), access, source));
        }
    }
}
