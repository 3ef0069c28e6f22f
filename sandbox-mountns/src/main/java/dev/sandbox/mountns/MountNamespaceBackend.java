package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import dev.sandbox.linux.seccomp.HardeningRules;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Enforces by a file system of the step's own: a new root that holds the grants and the baseline and nothing else, in new mount, PID,
 * IPC and UTS namespaces, without capabilities.
 *
 * <p>Guarantees: nothing outside the grants exists for the step, so it is neither read nor written nor changed in its metadata; blocked
 * and blocked-write paths inside a grant hold, existing or not; /tmp and /dev/shm are private and bounded; only the step's own
 * processes are seen and signalled, and all of them end with the run; with {@code network: none} there is no network; the calls of
 * {@link HardeningRules} are denied, but for an ordinary user's step those that make user namespaces and mounts, which give nothing back.
 *
 * <p>Does NOT stop: connecting to an abstract unix socket, unless there is no network or {@code unix.scope} is required; connecting to a unix socket inside a grant,
 * a read grant included; a program of the host that replaces a blocked file while a step runs, which takes the mask off for that
 * step (the kernel detaches a mount whose place is removed elsewhere); a file that another program creates at a blocked path inside a
 * read grant, until the next step. Inside a write grant a rename across a folder that holds a block gives EXDEV, and of that folder
 * EBUSY. A blocked path that does not exist shows as an empty file while steps run.
 *
 * <p>Thread-safe.
 */
public final class MountNamespaceBackend implements IsolationBackend {
    /** Which of the two enforcers to use. */
    public enum Way {
        /** By system calls where this account may, else by the script. */
        AUTO,
        SYSCALLS,
        SCRIPT
    }

    private final LinuxSyscalls syscalls;
    private final Host host;
    private final HostFiles files;
    private final Way way;
    private final HostPlaceholders placeholders;
    private final PlanSource plans;
    private @Nullable Enforcer enforcer;
    private @Nullable BackendAssessment assessment;

    /** A backend of this host that chooses its own way. */
    public MountNamespaceBackend(LinuxSyscalls syscalls, Host host, HostFiles files) {
        this(syscalls, host, files, Way.AUTO);
    }

    /** A backend of this host that goes one way. */
    public MountNamespaceBackend(LinuxSyscalls syscalls, Host host, Way way) {
        this(syscalls, host, new NativeHostFiles(syscalls), way);
    }

    private MountNamespaceBackend(LinuxSyscalls syscalls, Host host, HostFiles files, Way way) {
        this.syscalls = syscalls;
        this.host = host;
        this.files = files;
        this.way = way;
        this.placeholders = new HostPlaceholders(syscalls);
        this.plans = new PlanSource(host.files(), placeholders, this::goesBySystemCalls);
    }

    @Override
    public BackendName name() {
        return BackendName.MOUNTNS;
    }

    @Override
    public synchronized BackendAssessment assess() {
        if (assessment == null) {
            assessment = prove();
        }
        return assessment;
    }

    private BackendAssessment prove() {
        try {
            Enforcer chosen = enforcer();
            placeholders.standing();
            new Proof(host, files, plans, chosen).run();
            return new BackendAssessment(name(), chosen.name() + "; preflight passed", Promises.held(chosen.runAs()));
        } catch (SandboxUnavailableException e) {
            return Refusals.ofThisHost().explain(e.problems().get(0).what());
        } catch (UncheckedIOException e) {
            return Refusals.ofThisHost().explain("/proc cannot be read here: " + e.getMessage());
        } catch (RuntimeException e) {
            return Refusals.ofThisHost().explain(String.valueOf(e.getMessage()));
        }
    }

    private synchronized Enforcer enforcer() {
        if (enforcer == null) {
            ConfinedSpawn spawn = new ConfinedSpawn();
            enforcer = goesBySystemCalls()
                    ? new SyscallEnforcer(syscalls, spawn)
                    : new ScriptEnforcer(syscalls, spawn, host.files());
        }
        return enforcer;
    }

    private boolean goesBySystemCalls() {
        return way == Way.SYSCALLS || (way == Way.AUTO && Privilege.mayMount(syscalls.raw()));
    }

    @Override
    public MountPlan plan(SessionRequest request) {
        return plans.plan(request.policy());
    }

    @Override
    public IsolationSession open(SessionRequest request) {
        return new MountNamespaceSession(
                request, plans, placeholders, enforcer().open());
    }
}
