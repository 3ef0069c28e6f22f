package dev.sandbox.mountns;

import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.isolation.OwnedProcess;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.Stdio;
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
import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.mountns.MountOperation.Bind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/** The privileged way: the confined thread itself makes the namespaces, so the step is a direct child of the JVM. */
final class SyscallEnforcer implements Enforcer, EnforcerSession {
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

    /** {@inheritDoc} Nothing is kept between steps. */
    @Override
    public EnforcerSession open() {
        return this;
    }

    @Override
    public void close() {}

    @Override
    public SandboxedProcess start(MountPlan plan, Launch launch) {
        try {
            return startOrThrow(plan, launch);
        } catch (SyscallException e) {
            throw new SandboxUnavailableException("mountns", e.getMessage() + "; nothing ran", WAY_OUT, e);
        }
    }

    private SandboxedProcess startOrThrow(MountPlan plan, Launch launch) {
        LinuxSyscalls.Pipe life = syscalls.pipe();
        try (FileDescriptor lifeRead = life.readEnd()) {
            return start(plan, launch, lifeRead, life.writeEnd());
        } catch (RuntimeException | Error e) {
            life.writeEnd().close();
            throw e;
        }
    }

    private SandboxedProcess start(MountPlan plan, Launch launch, FileDescriptor lifeRead, FileDescriptor lifeWrite) {
        LinuxSyscalls.Pipe word = syscalls.pipe();
        try (FileDescriptor ours = word.readEnd();
                FileDescriptor theirs = word.writeEnd();
                NamespaceCalls calls = new NamespaceCalls(syscalls.raw());
                PreparedSpawn init = init(launch, lifeRead, theirs)) {
            List<ConfinementStep> steps = new Steps(calls).of(plan);
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
            NativeProcess process = spawn(plan, launch, steps, init, calls);
            return new OwnedProcess(process, lifeWrite::close);
        }
    }

    private NativeProcess spawn(
            MountPlan plan, Launch launch, List<ConfinementStep> steps, PreparedSpawn init, NamespaceCalls calls) {
        Optional<Terminal> terminal = launch.step().stdin() == Stdio.TERMINAL
                ? Optional.of(Terminal.open(syscalls, launch.step().window()))
                : Optional.empty();
        SpawnRequest request = SpawnRequest.builder()
                .programs(launch.programs())
                .argv(launch.step().command().argv())
                .environment(launch.environment())
                .workingDirectory(plan.workDir().toString())
                .stdin(launch.step().stdin())
                .stdout(launch.step().stdout())
                .stderr(launch.step().stderr())
                .terminal(terminal)
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
            throw new SandboxUnavailableException("mountns", what + "; nothing ran", WAY_OUT, e);
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

    /** The plan as steps of the confined thread, each named so that its failure says which mount it was. */
    private static final class Steps {
        private final NamespaceCalls calls;
        private final List<ConfinementStep> steps = new ArrayList<>();

        Steps(NamespaceCalls calls) {
            this.calls = calls;
        }

        List<ConfinementStep> of(MountPlan plan) {
            boolean alone = plan.network() == MountPlan.Network.NONE;
            int namespaces = Sched.CLONE_NEWNS | Sched.CLONE_NEWPID | Sched.CLONE_NEWIPC | Sched.CLONE_NEWUTS;
            int flags = alone ? namespaces | Sched.CLONE_NEWNET : namespaces;
            add("unshare the namespaces", () -> calls.unshare(flags));
            if (alone) {
                add("bring up the loopback", calls::loopbackUp);
            }
            long name = calls.string(MountPlan.HOST_NAME);
            int length = MountPlan.HOST_NAME.getBytes(StandardCharsets.UTF_8).length;
            add("set the hostname", () -> calls.hostName(name, length));
            add("make every mount private", calls::makePrivate);
            plan.operations().forEach(this::add);
            return steps;
        }

        private void add(String name, IntSupplier call) {
            steps.add(new SyscallStep(name, call));
        }

        private void add(MountOperation operation) {
            String name = operation.line();
            long target = calls.string(relative(operation.target()));
            if (operation instanceof MountOperation.RootFileSystem root) {
                long options = calls.string("mode=0755,size=" + root.bytes());
                add(name, () -> calls.stage(options));
            } else if (operation instanceof MountOperation.DirectoryPlaceholder directory) {
                int mode = directory.mode();
                add(name, () -> calls.newRoot().directory(target, mode));
            } else if (operation instanceof MountOperation.FilePlaceholder file) {
                int mode = file.mode();
                add(name, () -> calls.newRoot().file(target, mode));
            } else if (operation instanceof MountOperation.SymbolicLink link) {
                long text = calls.string(link.text());
                add(name, () -> calls.newRoot().link(target, text));
            } else if (operation instanceof Bind bind) {
                bind(bind, target);
            } else if (operation instanceof MountOperation.KernelFileSystem kernel) {
                kernel(kernel);
            } else if (operation instanceof MountOperation.Seal) {
                add("leave the host's file system", calls::enter);
                add(name, calls::seal);
            }
        }

        private void bind(Bind bind, long target) {
            long source = calls.string(relative(bind.source()));
            long attributes = calls.attributes(attributes(bind.mode()));
            if (bind.origin() == MountOperation.Origin.HOST) {
                add(bind.line(), () -> calls.bindHost(source, target, attributes));
            } else {
                add(bind.line(), () -> calls.bindOwn(source, target, attributes));
            }
        }

        private void kernel(MountOperation.KernelFileSystem kernel) {
            switch (kernel.type()) {
                case DEVPTS -> {
                    long target = calls.string("/new" + kernel.target());
                    add(kernel.line(), () -> calls.devpts(target));
                }
                // When there is a process in the namespace.
                case PROC -> {}
            }
        }

        private static long attributes(MountOperation.Mode mode) {
            return switch (mode) {
                case READ_ONLY -> MountApi.MOUNT_ATTR_RDONLY | MountApi.MOUNT_ATTR_NOSUID | MountApi.MOUNT_ATTR_NODEV;
                case READ_WRITE -> MountApi.MOUNT_ATTR_NOSUID | MountApi.MOUNT_ATTR_NODEV;
                case DEVICE -> MountApi.MOUNT_ATTR_NOSUID | MountApi.MOUNT_ATTR_NOEXEC;
            };
        }

        private static String relative(AbsolutePath path) {
            return AbsolutePath.ROOT.relativize(path);
        }
    }
}
