package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.verdict.Sight;
import dev.sandbox.linux.CallList;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.landlock.LandlockAbi;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Enforces by a file system of the step's own: a new root that holds the grants and the baseline and nothing else, in new mount, PID,
 * IPC and UTS namespaces, without capabilities, and under a Landlock ruleset with the same grants where the kernel has Landlock. An
 * ordinary user gets a user namespace besides, in which the mounts are made; for the step it is of no use.
 *
 * <p>Guarantees: nothing outside the grants exists for the step, so it is neither read nor written nor changed in its metadata; blocked
 * and blocked-write paths inside a grant hold, existing or not, also against a descriptor that another step was handed; /tmp and
 * /dev/shm are private and bounded; only the step's own processes are seen and signalled, and all of them end with the run; with
 * {@code network: none} there is no network; the calls of {@link dev.sandbox.linux.seccomp.HardeningRules} are denied.
 *
 * <p>Does NOT stop: connecting to a unix socket inside a grant, a read grant included, and without Landlock's scope (before ABI 6) to an
 * abstract one, unless there is no network or {@code unix.scope} is required; a program of the host that replaces a blocked file while a
 * step runs, which takes the mask off for that step (the kernel detaches a mount whose place is removed elsewhere); a file that another
 * program creates at a blocked path inside a read grant, until the next step. Inside a write grant a rename across a folder that holds a
 * block gives EXDEV, and of that folder EBUSY. A blocked path that does not exist shows as an empty file while steps run.
 *
 * <p>Thread-safe.
 */
public final class MountNamespaceBackend implements IsolationBackend {
    private final LinuxSyscalls syscalls;
    private final Host host;
    private final HostFiles files;
    private final Privilege privilege;
    private final Supplier<ConfinedSpawn> spawns;
    private final HostPlaceholders placeholders;
    private @Nullable ConfinedSpawn spawn;
    private @Nullable BackendAssessment assessment;

    /** A backend of this host. */
    public MountNamespaceBackend(LinuxSyscalls syscalls, Host host, HostFiles files) {
        this(syscalls, host, files, Privilege.ofThisProcess(), ConfinedSpawn::new);
    }

    /** One that mounts by given rights, and whose steps are started by another spawn. */
    MountNamespaceBackend(
            LinuxSyscalls syscalls, Host host, HostFiles files, Privilege privilege, Supplier<ConfinedSpawn> spawns) {
        this.syscalls = syscalls;
        this.host = host;
        this.files = files;
        this.privilege = privilege;
        this.spawns = spawns;
        this.placeholders = new HostPlaceholders(syscalls);
    }

    @Override
    public BackendName name() {
        return BackendName.MOUNTNS;
    }

    @Override
    public Sight stepSight() {
        return Sight.STEP;
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
            placeholders.standing();
            new Proof(host, files, this::session).run();
            Optional<LandlockAbi> landlock = LandlockAbi.query(syscalls);
            return new BackendAssessment(
                    name(), detail(landlock) + "; preflight passed", Promises.held(privilege, landlock));
        } catch (SandboxUnavailableException e) {
            return Refusals.ofThisHost().explain(e.problems().get(0).what());
        } catch (UncheckedIOException e) {
            return Refusals.ofThisHost().explain("/proc cannot be read here: " + e.getMessage());
        } catch (RuntimeException e) {
            return Refusals.ofThisHost().explain(String.valueOf(e.getMessage()));
        }
    }

    private String detail(Optional<LandlockAbi> landlock) {
        String namespaces = privilege.needsUserNamespace() ? "user and mount namespaces" : "mount namespaces";
        return namespaces
                + landlock.map(abi -> " over Landlock ABI " + abi.version()).orElse(", no Landlock below them");
    }

    private PlanSource plans() {
        return new PlanSource(host.files(), placeholders, syscalls);
    }

    private synchronized ConfinedSpawn spawn() {
        if (spawn == null) {
            spawn = spawns.get();
        }
        return spawn;
    }

    @Override
    public MountPlan plan(SessionRequest request) {
        try (PlanSource plans = plans()) {
            return plans.plan(request.policy());
        }
    }

    @Override
    public List<String> calls(SessionRequest request, StepRequest step) {
        return CallList.of(listing -> session(request, listing), step);
    }

    @Override
    public IsolationSession open(SessionRequest request) {
        return session(request);
    }

    private MountNamespaceSession session(SessionRequest request) {
        return session(request, spawn());
    }

    private MountNamespaceSession session(SessionRequest request, ConfinedSpawn spawn) {
        return new MountNamespaceSession(
                request,
                plans(),
                placeholders,
                new MountNamespace(syscalls, spawn, privilege, LandlockAbi.query(syscalls)));
    }
}
