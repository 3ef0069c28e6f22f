package dev.sandbox.domain;

import dev.sandbox.domain.environment.EnvironmentBuilder;
import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.environment.EnvironmentRequest;
import dev.sandbox.domain.environment.PackageSettings;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.ImpliedGuarantees;
import dev.sandbox.domain.isolation.BackendSelector;
import dev.sandbox.domain.isolation.Concurrency;
import dev.sandbox.domain.isolation.ExposedSocket;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.RunLedger;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.StepSight;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import dev.sandbox.domain.resolve.Toolchain;
import dev.sandbox.domain.resolve.ToolchainFinder;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.domain.verdict.Sight;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** {@link Sandbox} over the ports: resolve, select, prepare, hand to the backend. */
public final class StandardSandbox implements Sandbox {
    /** Longer, and a unix socket in TMPDIR no longer fits sockaddr_un's 108 bytes with a usual name. */
    private static final int LONGEST_TMPDIR = 60;

    /** On a disk, where programs may be run, and granted less often than /tmp. */
    private static final AbsolutePath TMP = AbsolutePath.of("/var/tmp");

    private final Host host;
    private final HostFiles hostFiles;
    private final Map<String, String> environment;
    private final List<IsolationBackend> backends;
    private final LongSupplier nanoTime;
    private final RunningSteps running;

    /**
     * Wires a sandbox.
     *
     * @param host what resolution sees of the machine
     * @param hostFiles makes folders
     * @param environment the caller's variables
     * @param backends the candidates, in the order in which they are tried
     * @param nanoTime a monotonic clock, in nanoseconds
     * @param concurrency how many steps may run at once
     * @param ledger where it is told what runs
     */
    public StandardSandbox(
            Host host,
            HostFiles hostFiles,
            Map<String, String> environment,
            List<IsolationBackend> backends,
            LongSupplier nanoTime,
            Concurrency concurrency,
            RunLedger ledger) {
        this.host = host;
        this.hostFiles = hostFiles;
        this.environment = Map.copyOf(environment);
        this.backends = List.copyOf(backends);
        this.nanoTime = nanoTime;
        this.running = new RunningSteps(nanoTime, concurrency, ledger);
    }

    /** One that runs as many steps at once as it is asked to, and tells nobody of them. */
    public StandardSandbox(
            Host host,
            HostFiles hostFiles,
            Map<String, String> environment,
            List<IsolationBackend> backends,
            LongSupplier nanoTime) {
        this(host, hostFiles, environment, backends, nanoTime, Concurrency.unbounded(), RunLedger.none());
    }

    @Override
    public List<RunningStep> running() {
        return running.list();
    }

    @Override
    public boolean cancel(long id) {
        return running.cancel(id);
    }

    @Override
    public SandboxSession open(SandboxPolicy policy) {
        return open(policy, resolved -> {});
    }

    /**
     * The same, when a look at the paths as this host has them raises no objection. What was looked at is what is enforced: it is not
     * resolved again, and nothing is made on the host before.
     *
     * @param objection throws what the caller is to be told
     */
    public SandboxSession open(SandboxPolicy policy, Consumer<ResolvedPolicy> objection) {
        long start = nanoTime.getAsLong();
        ResolvedPolicy resolved = resolve(policy);
        objection.accept(resolved);
        BackendSelector.Choice choice = choose(resolved);
        IsolationBackend backend = choice.backend();
        Optional<AbsolutePath> shortTmp =
                needsShortTmp(resolved) ? Optional.of(filesOf(resolved).createTemporary(TMP)) : Optional.empty();
        try {
            SessionRequest request = request(backend, resolved, shortTmp);
            prepare(request);
            IsolationSession session = backend.open(request);
            Duration preparation = Duration.ofNanos(nanoTime.getAsLong() - start);
            return new StandardSession(
                    request,
                    backend.assess(policy),
                    session,
                    host,
                    environment,
                    running,
                    nanoTime,
                    preparation,
                    choice.notes(),
                    () -> remove(shortTmp));
        } catch (RuntimeException e) {
            remove(shortTmp);
            throw e;
        }
    }

    /** What would be enforced, by which backend; makes nothing and runs nothing. */
    public IsolationPlan plan(SandboxPolicy policy) {
        ResolvedPolicy resolved = resolve(policy);
        IsolationBackend backend = choose(resolved).backend();
        return backend.plan(request(backend, resolved, Optional.empty()));
    }

    /** The policy's paths as this host has them. */
    public ResolvedPolicy resolve(SandboxPolicy policy) {
        List<Toolchain> tools = switch (policy.toolchains()) {
            case NONE -> List.of();
            case PATH -> new ToolchainFinder(environment, host.files()).onPath();
        };
        return PolicyResolver.resolve(policy, host, tools);
    }

    /**
     * Which backend a run of this policy takes.
     *
     * @throws dev.sandbox.domain.problem.SandboxUnavailableException when none can enforce it
     */
    public BackendSelector.Choice choose(ResolvedPolicy resolved) {
        return BackendSelector.choose(
                backends, resolved.policy(), ImpliedGuarantees.of(resolved), ExposedSocket.find(resolved, host));
    }

    /** The candidates, in the order in which they are tried. */
    public List<IsolationBackend> backends() {
        return backends;
    }

    /** What decides for paths under this policy. */
    public AccessOracle oracle(ResolvedPolicy resolved) {
        return new AccessOracle(resolved, host);
    }

    /** As {@link #oracle}, for whoever asks from inside: of the host it tells no more than a step can see. */
    public AccessOracle stepOracle(ResolvedPolicy resolved) {
        return new AccessOracle(resolved, host, stepSight(resolved));
    }

    private Sight stepSight(ResolvedPolicy resolved) {
        try {
            return StepSight.of(choose(resolved).backend().assess(resolved.policy()));
        } catch (SandboxUnavailableException nothingRuns) {
            return Sight.STEP;
        }
    }

    private SessionRequest request(IsolationBackend backend, ResolvedPolicy resolved, Optional<AbsolutePath> shortTmp) {
        boolean carves = backend.assess(resolved.policy())
                .promise(Guarantee.FS_CARVE_OUT)
                .isHeld();
        ResolvedPolicy held = carves ? resolved : resolved.withoutTrustRules();
        ResolvedPolicy enforced = shortTmp.map(tmp -> withGrant(held, tmp)).orElse(held);
        return new SessionRequest(enforced, derive(backend, enforced, shortTmp));
    }

    private static ResolvedPolicy withGrant(ResolvedPolicy resolved, AbsolutePath tmp) {
        RuleSource source = new RuleSource(RuleSource.SANDBOX, -1, "TMPDIR");
        return ResolvedPolicy.builder()
                .from(resolved)
                .addRules(new AccessRule(tmp, EntryKind.DIRECTORY, Access.WRITE, source))
                .build();
    }

    private EnvironmentPlan derive(IsolationBackend backend, ResolvedPolicy resolved, Optional<AbsolutePath> shortTmp) {
        AccessOracle oracle = oracle(resolved);
        EnvironmentPolicy written = resolved.policy().environment();
        CallersSettings settings = new CallersSettings(environment, host.files(), resolved, oracle);
        PackageSettings carried = settings.find();
        EnvironmentPlan plan = EnvironmentBuilder.build(EnvironmentRequest.builder()
                .policy(EnvironmentPolicy.builder()
                        .from(written)
                        .mode(backend.environmentMode(written))
                        .build())
                .host(environment)
                .home(resolved.policy().home())
                .runAs(resolved.runAs())
                .settings(carried)
                .toolFolders(toolFolders(resolved, oracle))
                .toolVariables(toolVariables(resolved))
                .cacheBase(resolved.cacheBase())
                .tmpDir(shortTmp.or(() -> tmpDir(resolved)))
                .pathFilter(directory ->
                        host.files().kind(directory) == EntryKind.MISSING || oracle.allows(directory, Operation.EXEC))
                .build());
        return settings.notes().isEmpty()
                ? plan
                : EnvironmentPlan.builder()
                        .from(plan)
                        .addAllNotes(settings.notes())
                        .build();
    }

    /** Those that no block took away. */
    private static List<AbsolutePath> toolFolders(ResolvedPolicy resolved, AccessOracle oracle) {
        List<AbsolutePath> folders = new ArrayList<>();
        for (Toolchain tool : resolved.toolchains()) {
            tool.entry().filter(folder -> oracle.allows(folder, Operation.EXEC)).ifPresent(folders::add);
        }
        return folders;
    }

    private static Map<String, String> toolVariables(ResolvedPolicy resolved) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (Toolchain tool : resolved.toolchains()) {
            variables.putAll(tool.variables());
        }
        return variables;
    }

    private static Optional<AbsolutePath> tmpDir(ResolvedPolicy resolved) {
        return resolved.tmpBase().map(base -> base.resolve(".tmp"));
    }

    private static boolean needsShortTmp(ResolvedPolicy resolved) {
        return tmpDir(resolved)
                .filter(tmp -> tmp.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_TMPDIR)
                .isPresent();
    }

    private void prepare(SessionRequest request) {
        HostFiles files = filesOf(request.policy());
        request.policy().directoriesToCreate().forEach(files::createDirectory);
        request.environment().directories().forEach(files::createDirectory);
        request.environment()
                .files()
                .forEach((file, text) ->
                        files.writeIfMissing(file.parent().orElse(AbsolutePath.ROOT), file.name(), text));
        request.environment().ignoredByGit().forEach(folder -> files.writeIfMissing(folder, ".gitignore", "*\n"));
    }

    private HostFiles filesOf(ResolvedPolicy resolved) {
        return resolved.runAs().map(hostFiles::ownedBy).orElse(hostFiles);
    }

    private void remove(Optional<AbsolutePath> shortTmp) {
        shortTmp.ifPresent(hostFiles::removeTree);
    }
}
