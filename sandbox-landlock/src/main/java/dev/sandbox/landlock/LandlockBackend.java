package dev.sandbox.landlock;

import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.Preflight;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.verdict.Sight;
import dev.sandbox.linux.CallList;
import dev.sandbox.linux.CgroupDelegation;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.landlock.LandlockAbi;
import dev.sandbox.linux.seccomp.HardeningRules;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Enforces by Landlock, inside the JVM, without a helper program.
 *
 * <p>Guarantees: nothing outside the grants and the baseline is opened, listed, executed, created or removed; from ABI 3 on nothing
 * is truncated; from ABI 4 on TCP ports may be named; from ABI 6 on no process outside is signalled and no abstract socket outside
 * reached; no capability and no descriptor of the JVM is inherited; the calls of {@link HardeningRules} are denied.
 *
 * <p>Does NOT stop: chmod, chown, utime, xattr and stat outside the grants; connecting to a pathname unix socket, unless
 * {@code unix.scope} is required; reading names by stat; running an unexecutable file through the dynamic loader; a step that hides well enough outliving its run, unless
 * {@code kill.tree} is required.
 *
 * <p>Thread-safe.
 */
public final class LandlockBackend implements IsolationBackend {
    private static final String REMEDY =
            "boot a kernel from 6.2 on with landlock in its lsm= list, or use the backend mountns or docker";

    private static final String AROUND =
            "when another sandbox is around this one, let it read /proc (proc: self or all)"
                    + " and write a folder that TMPDIR names";

    private final LinuxSyscalls syscalls;
    private final Host host;
    private final HostFiles files;
    private final Supplier<ConfinedSpawn> spawns;
    private @Nullable ConfinedSpawn spawn;
    private @Nullable BackendAssessment assessment;

    /**
     * A backend on this kernel.
     *
     * @param syscalls the port to the kernel; a test may put a failing one in its place
     * @param host what the preflight resolves against
     * @param files makes the preflight's folder
     */
    public LandlockBackend(LinuxSyscalls syscalls, Host host, HostFiles files) {
        this(syscalls, host, files, ConfinedSpawn::new);
    }

    /** One whose steps are started by another spawn. */
    public LandlockBackend(LinuxSyscalls syscalls, Host host, HostFiles files, Supplier<ConfinedSpawn> spawns) {
        this.syscalls = syscalls;
        this.host = host;
        this.files = files;
        this.spawns = spawns;
    }

    @Override
    public BackendName name() {
        return BackendName.LANDLOCK;
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
        Optional<LandlockAbi> abi = LandlockAbi.query(syscalls);
        if (abi.isEmpty()) {
            return BackendAssessment.unusable(name(), "this kernel has no Landlock", REMEDY);
        }
        String kernel = "filesystem ABI " + abi.get().version() + ", errata "
                + abi.get().errata() + "; ";
        try {
            Optional<String> failure = Preflight.failure(host, files, request -> open(request, abi.get()));
            return failure.isPresent()
                    ? BackendAssessment.unusable(name(), kernel + failure.get(), "use the backend mountns or docker")
                    : new BackendAssessment(
                            name(),
                            kernel + "preflight passed",
                            LandlockPromises.of(abi.get(), usableCgroup().isPresent()));
        } catch (SyscallException e) {
            return BackendAssessment.unusable(
                    name(), kernel + "preflight could not be made: " + e.getMessage(), AROUND);
        }
    }

    @Override
    public RulesetPlan plan(SessionRequest request) {
        return RulesetPlanner.plan(request.policy(), abi());
    }

    @Override
    public List<String> calls(SessionRequest request, StepRequest step) {
        RulesetPlan plan = plan(request);
        return CallList.of(listing -> new LandlockSession(request, plan, syscalls, listing), step);
    }

    @Override
    public IsolationSession open(SessionRequest request) {
        return open(request, abi());
    }

    private IsolationSession open(SessionRequest request, LandlockAbi abi) {
        return new LandlockSession(request, RulesetPlanner.plan(request.policy(), abi), syscalls, spawn());
    }

    private static Optional<Path> usableCgroup() {
        return CgroupDelegation.ofThisProcess().usable();
    }

    private LandlockAbi abi() {
        return LandlockAbi.query(syscalls)
                .orElseThrow(() -> new SandboxUnavailableException("landlock", "this kernel has no Landlock", REMEDY));
    }

    /** Made when first needed: a caller that only plans starts nothing. */
    private synchronized ConfinedSpawn spawn() {
        if (spawn == null) {
            spawn = spawns.get();
        }
        return spawn;
    }
}
