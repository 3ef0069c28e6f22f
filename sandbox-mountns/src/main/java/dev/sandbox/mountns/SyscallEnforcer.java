package dev.sandbox.mountns;

import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.isolation.OwnedProcess;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.ConfinementException;
import dev.sandbox.linux.ConfinementStep;
import dev.sandbox.linux.ConfinementSteps;
import dev.sandbox.linux.Errno;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.PreparedSpawn;
import dev.sandbox.linux.RunAsPromise;
import dev.sandbox.linux.SpawnRequest;
import dev.sandbox.linux.StandardStreams;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.Terminal;
import dev.sandbox.linux.seccomp.SeccompStep;
import dev.sandbox.linux.uapi.Architecture;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The privileged way: the confined thread itself makes the namespaces, so the step is a direct child of the JVM. */
final class SyscallEnforcer implements Enforcer {
    private static final String INIT = "start the namespace's init";

    private final LinuxSyscalls syscalls;
    private final ConfinedSpawn spawn;
    private final boolean mountsProc;

    SyscallEnforcer(LinuxSyscalls syscalls, ConfinedSpawn spawn) {
        this.syscalls = syscalls;
        this.spawn = spawn;
        try {
            this.mountsProc = ProcMount.isPossible(syscalls.raw());
        } catch (SyscallException e) {
            throw new SandboxUnavailableException("mountns", e.getMessage() + "; nothing ran", WAY_OUT, e);
        }
    }

    @Override
    public String name() {
        return "syscalls";
    }

    @Override
    public Promise runAs() {
        return RunAsPromise.ofThisProcess();
    }

    @Override
    public EnforcerSession open() {
        return new SyscallSession(this);
    }

    /** What a root for a plan would be made of now. */
    Furnishing furnishing(MountPlan plan) {
        return Furnishing.of(plan, AbsolutePath.ROOT, syscalls);
    }

    /**
     * Carries a plan out in a mount namespace of its own, which no process is in: it lasts as long as the descriptor.
     *
     * @param before an earlier root, whose private directories are shown
     * @throws SandboxUnavailableException naming the mount and the errno
     */
    FileDescriptor build(MountPlan plan, Optional<FileDescriptor> before) {
        Map<AbsolutePath, FileDescriptor> kept = new TreeMap<>();
        try (NamespaceCalls calls = new NamespaceCalls(syscalls.raw())) {
            before.ifPresent(root -> kept.putAll(privateDirectories(root, plan, calls)));
            spawn.carryOut(new ThreadSteps(calls).build(plan, kept));
            return syscalls.adopt(calls.kept());
        } catch (ConfinementException e) {
            throw refusal(e.stepName() + ": " + Errno.describe(e.errno()), e);
        } catch (SyscallException e) {
            throw refusal(String.valueOf(e.getMessage()), e);
        } finally {
            kept.values().forEach(FileDescriptor::close);
        }
    }

    private Map<AbsolutePath, FileDescriptor> privateDirectories(
            FileDescriptor root, MountPlan plan, NamespaceCalls calls) {
        Map<AbsolutePath, int[]> opened = new TreeMap<>();
        plan.binds()
                .filter(MountOperation.Bind::isPrivateDirectory)
                .forEach(bind -> opened.put(bind.target(), new int[] {-1}));
        Map<AbsolutePath, FileDescriptor> directories = new TreeMap<>();
        try {
            spawn.carryOut(new ThreadSteps(calls).open(root.number(), opened));
        } finally {
            opened.forEach((directory, fd) -> {
                if (fd[0] >= 0) {
                    directories.put(directory, syscalls.adopt(fd[0]));
                }
            });
        }
        return directories;
    }

    /** Another descriptor of the same namespace. */
    FileDescriptor duplicate(FileDescriptor root) {
        return syscalls.duplicate(root);
    }

    /** Starts a step in a copy of a root that was built; see {@link EnforcerSession#start}. */
    SandboxedProcess start(FileDescriptor root, MountPlan plan, Launch launch) {
        try {
            return startOrThrow(root, plan, launch);
        } catch (SyscallException e) {
            throw refusal(String.valueOf(e.getMessage()), e);
        }
    }

    private static SandboxUnavailableException refusal(String what, Exception cause) {
        return new SandboxUnavailableException("mountns", what + "; nothing ran", WAY_OUT, cause);
    }

    private SandboxedProcess startOrThrow(FileDescriptor root, MountPlan plan, Launch launch) {
        LinuxSyscalls.Pipe life = syscalls.pipe();
        try (FileDescriptor lifeRead = life.readEnd()) {
            return start(root, plan, launch, lifeRead, life.writeEnd());
        } catch (RuntimeException | Error e) {
            life.writeEnd().close();
            throw e;
        }
    }

    private SandboxedProcess start(
            FileDescriptor root, MountPlan plan, Launch launch, FileDescriptor lifeRead, FileDescriptor lifeWrite) {
        LinuxSyscalls.Pipe word = syscalls.pipe();
        try (FileDescriptor ours = word.readEnd();
                FileDescriptor theirs = word.writeEnd();
                NamespaceCalls calls = new NamespaceCalls(syscalls.raw());
                SeccompStep filter = new SeccompStep(plan.filter().program(Architecture.host()), syscalls.raw());
                PreparedSpawn init = init(launch, lifeRead, theirs)) {
            List<ConfinementStep> steps = new ThreadSteps(calls).enter(root.number(), plan.network());
            if (mountsProc) {
                steps.add(ConfinementSteps.dropInheritableCapabilities(syscalls.raw()));
                steps.add(ConfinementSteps.noNewPrivs(syscalls.raw()));
                steps.add(new SyscallStep(INIT, init::spawn));
                steps.add(new SyscallStep("mount proc", () -> calls.proc().of(init.pid())));
            } else {
                steps.add(new SyscallStep(INIT, () -> calls.init(init, theirs, ours)));
                steps.add(ConfinementSteps.noNewPrivs(syscalls.raw()));
            }
            plan.runAs().ifPresent(identity -> steps.addAll(ConfinementSteps.runAs(syscalls.raw(), identity)));
            steps.add(ConfinementSteps.dropCapabilities(syscalls.raw()));
            // Last: what comes before makes mounts.
            steps.add(filter);
            NativeProcess process = spawn(plan, launch, steps, init, calls);
            return new OwnedProcess(process, lifeWrite::close);
        }
    }

    private NativeProcess spawn(
            MountPlan plan, Launch launch, List<ConfinementStep> steps, PreparedSpawn init, NamespaceCalls calls) {
        SpawnRequest request = SpawnRequest.builder()
                .programs(launch.programs())
                .argv(launch.step().command().argv())
                .environment(launch.environment())
                .workingDirectory(plan.workDir().toString())
                .stdin(launch.step().stdin())
                .stdout(launch.step().stdout())
                .stderr(launch.step().stderr())
                .terminal(Terminal.of(launch.step(), syscalls))
                .limits(launch.limits())
                .owner(plan.runAs())
                .confinement(steps)
                .marker(launch.marker())
                .build();
        try {
            return spawn.spawn(request, List.of(init));
        } catch (ConfinementException e) {
            String said = e.stepName().equals(INIT) ? calls.answer() : "";
            String what = said.isEmpty() ? e.stepName() + ": " + Errno.describe(e.errno()) : e.stepName() + ": " + said;
            throw refusal(what, e);
        }
    }

    private PreparedSpawn init(Launch launch, FileDescriptor lifeRead, FileDescriptor word) {
        List<String> argv = mountsProc ? InitScript.WAITING : InitScript.MOUNTING;
        SpawnRequest request = SpawnRequest.builder()
                .addPrograms(argv.get(0))
                .argv(argv)
                .environment(Map.of())
                .workingDirectory("/")
                .marker(launch.marker())
                .build();
        return PreparedSpawn.build(request, new StandardStreams(lifeRead.number(), word.number(), word.number()));
    }
}
