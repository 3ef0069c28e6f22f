package dev.sandbox.domain;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.environment.EnvironmentBuilder;
import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.environment.EnvironmentRequest;
import dev.sandbox.domain.environment.PackageSettings;
import dev.sandbox.domain.environment.SystemTmp;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.ImpliedGuarantees;
import dev.sandbox.domain.isolation.BackendAssessment;
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
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.isolation.StepSight;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.Toolchain;
import dev.sandbox.domain.resolve.ToolchainFinder;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.domain.verdict.Sight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** {@link Sandbox} over the ports: resolve, select, prepare, hand to the backend. */
public final class StandardSandbox implements Sandbox {
    /** A path of the policy may lie on a server that does not answer. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

    private final Host host;
    private final HostFiles hostFiles;
    private final Map<String, String> environment;
    private final List<IsolationBackend> backends;
    private final LongSupplier nanoTime;
    private final RunningSteps running;
    private final BoundedLook looks;

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
        this.looks = new BoundedLook(nanoTime, LONGEST_LOOK);
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
        Objects.requireNonNull(policy, "policy");
        long start = nanoTime.getAsLong();
        ResolvedPolicy resolved = resolve(policy);
        objection.accept(resolved);
        BackendSelector.Choice choice = choose(resolved);
        IsolationBackend backend = choice.backend();
        OwnFolders folders = OwnFolders.of(resolved, filesOf(resolved));
        try {
            SessionRequest request = request(backend, resolved, folders);
            prepare(request);
            IsolationSession session = backend.open(request);
            Duration preparation = Duration.ofNanos(nanoTime.getAsLong() - start);
            BackendAssessment assessment = backend.assess(policy);
            List<String> notes = new ArrayList<>(choice.notes());
            notes.addAll(folders.notes());
            return new StandardSession(
                    request,
                    assessment,
                    session,
                    host,
                    StepSight.of(backend, assessment),
                    environment,
                    running,
                    nanoTime,
                    preparation,
                    notes,
                    folders::close);
        } catch (RuntimeException e) {
            folders.close();
            throw e;
        }
    }

    /** A folder that {@link #clean} looked at. */
    public record Cleaned(AbsolutePath folder, HostFiles.Removal removal) {}

    /**
     * Removes the folders that sessions with this policy have made for themselves in a grant, and no other folder: caches, packages,
     * HOME and TMPDIR. Without a write grant it looks in base_dir. One that has a blocked path in it is left, for the step could have
     * marked it as the sandbox's. To be called while no step of this policy runs.
     *
     * @return what it found, and what came of it
     */
    public List<Cleaned> clean(SandboxPolicy policy) {
        ResolvedPolicy resolved = PolicyResolver.resolve(policy, host);
        ResolvedPolicy looked = resolved.tmpBase().isPresent()
                ? resolved
                : ResolvedPolicy.builder()
                        .from(resolved)
                        .cacheBase(resolved.cacheBase().orElse(resolved.baseDir()))
                        .tmpBase(resolved.baseDir())
                        .build();
        HostFiles files = filesOf(resolved);
        List<Cleaned> cleaned = new ArrayList<>();
        for (AbsolutePath folder : OwnFolders.named(looked)) {
            boolean blocked = resolved.withoutTrustRules().rules().stream()
                    .anyMatch(rule -> rule.access().isBlock() && (rule.covers(folder) || folder.contains(rule.path())));
            HostFiles.Removal removal = blocked ? HostFiles.Removal.NOT_OURS : files.removeOwn(folder);
            if (removal != HostFiles.Removal.MISSING) {
                cleaned.add(new Cleaned(folder, removal));
            }
        }
        return List.copyOf(cleaned);
    }

    /** What would be enforced, by which backend; makes nothing and runs nothing. */
    public IsolationPlan plan(SandboxPolicy policy) {
        ResolvedPolicy resolved = resolve(policy);
        IsolationBackend backend = choose(resolved).backend();
        return backend.plan(request(backend, resolved, OwnFolders.planned(resolved, hostFiles)));
    }

    /**
     * The system calls that would start a command under this policy, in order, for people; runs nothing. The folders that a run makes
     * for itself are made and removed, as a run does; what {@code on_missing: create} makes is not. None for a backend whose steps
     * something else starts, as an engine does.
     *
     * @throws SandboxUnavailableException when nothing here can enforce the policy
     */
    public List<String> calls(SandboxPolicy policy, Command command) {
        ResolvedPolicy resolved = resolve(policy);
        IsolationBackend backend = choose(resolved).backend();
        OwnFolders folders = OwnFolders.of(resolved, filesOf(resolved));
        try {
            return backend.calls(request(backend, resolved, folders), StepRequest.piped(command));
        } finally {
            folders.close();
        }
    }

    /**
     * The policy's paths as this host has them.
     *
     * @throws SandboxUnavailableException when a path's file server does not answer
     */
    public ResolvedPolicy resolve(SandboxPolicy policy) {
        return looks.take(() -> look(policy));
    }

    private ResolvedPolicy look(SandboxPolicy policy) {
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
            IsolationBackend backend = choose(resolved).backend();
            return StepSight.of(backend, backend.assess(resolved.policy()));
        } catch (SandboxUnavailableException nothingRuns) {
            return Sight.STEP;
        }
    }

    private SessionRequest request(IsolationBackend backend, ResolvedPolicy resolved, OwnFolders folders) {
        BackendAssessment assessment = backend.assess(resolved.policy());
        boolean carves = assessment.promise(Guarantee.FS_CARVE_OUT).isHeld();
        ResolvedPolicy held = carves ? resolved : resolved.withoutTrustRules();
        ResolvedPolicy own = assessment.hidesWhatIsNotGranted() ? held.withoutHostDevices() : held;
        ResolvedPolicy enforced = folders.grantedBy(own);
        return new SessionRequest(enforced, derive(backend, enforced, folders));
    }

    private EnvironmentPlan derive(IsolationBackend backend, ResolvedPolicy resolved, OwnFolders folders) {
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
                .cacheBase(folders.cacheBase())
                .tmpDir(folders.tmpDir())
                .systemTmp(systemTmp(backend, resolved.policy()))
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

    private static SystemTmp systemTmp(IsolationBackend backend, SandboxPolicy policy) {
        return switch (policy.tmp()) {
            case HOST -> SystemTmp.WRITABLE;
            case NONE -> SystemTmp.CLOSED;
            case AUTO, PRIVATE ->
                backend.assess(policy).hidesWhatIsNotGranted() ? SystemTmp.WRITABLE : SystemTmp.CLOSED;
        };
    }

    private void prepare(SessionRequest request) {
        HostFiles files = filesOf(request.policy());
        request.policy().directoriesToCreate().forEach(files::createDirectory);
        EnvironmentPlan environment = request.environment();
        environment.directories().forEach(folder -> {
            if (environment.ignoredByGit().contains(folder)) {
                files.createOwn(folder);
            } else {
                files.createDirectory(folder);
            }
        });
        environment
                .files()
                .forEach((file, text) ->
                        files.writeIfMissing(file.parent().orElse(AbsolutePath.ROOT), file.name(), text));
    }

    private HostFiles filesOf(ResolvedPolicy resolved) {
        return resolved.runAs().map(hostFiles::ownedBy).orElse(hostFiles);
    }
}
