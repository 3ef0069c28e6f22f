package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.ConfinementException;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.SpawnRequest;
import dev.sandbox.linux.SyscallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The way of an ordinary user: util-linux makes a user namespace and the others in it, and one script carries out the plan. */
final class ScriptEnforcer implements Enforcer {
    private static final String WAY_OUT = "sandbox doctor tells what this host lacks; another backend may do";
    private static final List<String> STAGES =
            List.of("/mnt", "/media", "/srv", "/opt", "/boot", "/home", "/var", "/run", "/tmp");

    private final LinuxSyscalls syscalls;
    private final ConfinedSpawn spawn;
    private final FileSystemView files;
    private final Tools tools;
    private final String umask;

    ScriptEnforcer(LinuxSyscalls syscalls, ConfinedSpawn spawn, FileSystemView files) {
        this.syscalls = syscalls;
        this.spawn = spawn;
        this.files = files;
        this.tools = Tools.find();
        this.umask = lines("/proc/self/status")
                .filter(line -> line.startsWith("Umask:"))
                .map(line -> line.substring("Umask:".length()).trim())
                .findFirst()
                .orElse("022");
    }

    @Override
    public String name() {
        return "script";
    }

    @Override
    public SandboxedProcess start(MountPlan plan, Launch launch) {
        if (launch.step().stdin() == Stdio.TERMINAL) {
            throw new SandboxUnavailableException(
                    "mountns", "gives an ordinary user's step no terminal; nothing ran", "use --backend landlock");
        }
        MountTable host = MountTable.parse(lines("/proc/self/mountinfo"));
        String script = Script.render(plan, launch, host, stage(plan), tools, this::isOnHost, umask);
        try {
            return start(plan, launch, script);
        } catch (ConfinementException | SyscallException e) {
            throw new SandboxUnavailableException("mountns", e.getMessage() + "; nothing ran", WAY_OUT, e);
        }
    }

    // The child's ends are closed early: its silence must be seen as the end of what it says.
    @SuppressWarnings("try")
    private SandboxedProcess start(MountPlan plan, Launch launch, String script) {
        LinuxSyscalls.Pipe word = syscalls.pipe();
        try (FileDescriptor answers = word.readEnd();
                FileDescriptor theirAnswers = word.writeEnd()) {
            LinuxSyscalls.Pipe control = syscalls.pipe();
            try (FileDescriptor theirControl = control.readEnd();
                    FileDescriptor commands = control.writeEnd()) {
                NativeProcess process = spawn.spawn(request(plan, launch, List.of(theirAnswers, theirControl)));
                theirAnswers.close();
                theirControl.close();
                return supervised(process, plan, launch, new ScriptDialogue(syscalls.raw(), answers, commands), script);
            }
        }
    }

    private SandboxedProcess supervised(
            NativeProcess process, MountPlan plan, Launch launch, ScriptDialogue dialogue, String script) {
        try {
            dialogue.send(script);
            List<String> said = dialogue.untilDecided();
            decide(said, launch, process);
            int init = ScriptDialogue.onlyChild((int) process.pid());
            verify(plan, MountTable.parse(lines("/proc/" + init + "/mountinfo")));
            dialogue.send("go\n");
            return process;
        } catch (RuntimeException | Error e) {
            process.close();
            throw e;
        }
    }

    private SpawnRequest request(MountPlan plan, Launch launch, List<FileDescriptor> descriptors) {
        List<String> argv = new ArrayList<>(List.of(
                tools.get("unshare"),
                "--user",
                "--map-current-user",
                "--keep-caps",
                "--mount",
                "--propagation",
                "private",
                "--pid",
                "--fork",
                "--kill-child",
                "--ipc",
                "--uts"));
        if (plan.network() == MountPlan.Network.NONE) {
            argv.add("--net");
        }
        argv.addAll(List.of("--", tools.get("sh"), "/proc/self/fd/4"));
        return SpawnRequest.builder()
                .addPrograms(tools.get("unshare"))
                .argv(argv)
                .environment(MangledEnvironment.of(launch.environment()))
                .workingDirectory("/")
                .stdin(launch.step().stdin())
                .stdout(launch.step().stdout())
                .stderr(launch.step().stderr())
                .descriptors(descriptors)
                .treeMemory(launch.limits().memory())
                .marker(launch.marker())
                .build();
    }

    private static void decide(List<String> said, Launch launch, NativeProcess process) {
        String last = said.isEmpty() ? "" : said.get(said.size() - 1);
        String program = launch.step().command().program();
        if (last.equals("missing")) {
            throw CommandNotStartedException.notFound(program, "cannot be found: No such file or directory (ENOENT)");
        }
        if (last.startsWith("refused ")) {
            throw CommandNotStartedException.notExecutable(program, "cannot be executed: Permission denied (EACCES)");
        }
        if (!last.startsWith("ready ")) {
            String what = said.isEmpty() ? ScriptDialogue.lastWords(process) : String.join(" ", said);
            throw new SandboxUnavailableException("mountns", Problem.oneLine(what) + "; nothing ran", WAY_OUT);
        }
    }

    /**
     * Looks at what stands before the step may start: mount(8) follows links and skips what it takes for mounted already, and its
     * binds are not recursively read-only.
     */
    private static void verify(MountPlan plan, MountTable inside) {
        List<MountOperation.Bind> binds = plan.binds().toList();
        TreeMap<AbsolutePath, MountOperation.Bind> byTarget = new TreeMap<>();
        binds.forEach(bind -> byTarget.put(bind.target(), bind));
        Set<AbsolutePath> points =
                inside.entries().stream().map(MountTable.Entry::point).collect(Collectors.toUnmodifiableSet());
        for (MountOperation.Bind bind : binds) {
            if (!points.contains(bind.target())) {
                throw unverified(bind.target(), "is not mounted");
            }
        }
        for (MountTable.Entry entry : inside.entries()) {
            MountOperation.Bind own = byTarget.get(entry.point());
            MountOperation.Mode mode = own != null
                    ? own.mode()
                    : EffectiveGrants.above(byTarget, entry.point())
                            .map(MountOperation.Bind::mode)
                            .orElse(MountOperation.Mode.READ_ONLY);
            boolean devpts = entry.point().toString().equals("/dev/pts");
            if (mode == MountOperation.Mode.READ_ONLY && !devpts && !entry.has("ro")) {
                throw unverified(entry.point(), "is not read-only");
            }
        }
    }

    private static SandboxUnavailableException unverified(AbsolutePath path, String what) {
        return new SandboxUnavailableException(
                "mountns", path + " " + what + " after all mounts were made; nothing ran", WAY_OUT);
    }

    private boolean isOnHost(MountOperation.SymbolicLink link) {
        return files.kind(link.target()) == EntryKind.SYMLINK
                && files.linkTarget(link.target()).equals(link.text());
    }

    private AbsolutePath stage(MountPlan plan) {
        return STAGES.stream()
                .map(AbsolutePath::of)
                .filter(stage -> files.kind(stage) == EntryKind.DIRECTORY)
                .filter(stage -> plan.operations().stream().noneMatch(operation -> touches(operation, stage)))
                .findFirst()
                .orElseThrow(() -> new SandboxUnavailableException(
                        "mountns",
                        "the grants touch all of " + String.join(", ", STAGES) + ": there is no place to build a root",
                        "make one of them a directory that no grant needs"));
    }

    private static boolean touches(MountOperation operation, AbsolutePath stage) {
        boolean fromHost = operation instanceof MountOperation.SymbolicLink
                || (operation instanceof MountOperation.Bind bind && bind.origin() == MountOperation.Origin.HOST);
        return fromHost
                && (stage.contains(operation.target()) || operation.target().contains(stage));
    }

    private static Stream<String> lines(String path) {
        try {
            return Files.readAllLines(Path.of(path), StandardCharsets.UTF_8).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
