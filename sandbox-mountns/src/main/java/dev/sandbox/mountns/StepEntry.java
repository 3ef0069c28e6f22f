package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.problem.CommandNotStartedException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.ConfinementException;
import dev.sandbox.linux.ConfinementSteps;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.MangledEnvironment;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.SpawnRequest;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.Terminal;
import dev.sandbox.linux.seccomp.SeccompStep;
import dev.sandbox.linux.uapi.Architecture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a step in a room: nsenter(1) enters it, unshare(1) makes a PID namespace with its own /proc in a copy of its mounts, setpriv(1)
 * gives up everything, and a shell becomes the step. The copy belongs to one more user namespace, since nsenter(1) keeps no capability
 * over execve(2); its mounts are locked together for whoever is in it. All of them are under the step's system call filter from the start.
 */
final class StepEntry {
    private static final int FIRST_NAMESPACE = 4;

    private final LinuxSyscalls syscalls;
    private final ConfinedSpawn spawn;
    private final Tools tools;
    private final String umask;
    private final boolean root;

    StepEntry(LinuxSyscalls syscalls, ConfinedSpawn spawn, Tools tools) {
        this.syscalls = syscalls;
        this.spawn = spawn;
        this.tools = tools;
        this.umask = umask();
        this.root = syscalls.raw().geteuid() == 0;
    }

    private static String umask() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.UTF_8).stream()
                    .filter(line -> line.startsWith("Umask:"))
                    .map(line -> line.substring("Umask:".length()).trim())
                    .findFirst()
                    .orElse("022");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link EnforcerSession#start}. */
    SandboxedProcess start(Room room, MountPlan plan, Launch launch) {
        Answers answers = new Answers(syscalls);
        try {
            return start(room, plan, launch, answers);
        } catch (ConfinementException | SyscallException e) {
            answers.close();
            throw new SandboxUnavailableException("mountns", e.getMessage() + "; nothing ran", Enforcer.WAY_OUT, e);
        } catch (RuntimeException | Error e) {
            answers.close();
            throw e;
        }
    }

    private SandboxedProcess start(Room room, MountPlan plan, Launch launch, Answers answers) {
        NativeProcess process = spawn(room, plan, launch, answers);
        answers.begin();
        try {
            decide(answers, launch, process);
            return new RoomStep(process, answers);
        } catch (RuntimeException | Error e) {
            process.close();
            throw e;
        }
    }

    private NativeProcess spawn(Room room, MountPlan plan, Launch launch, Answers answers) {
        try (SeccompStep filter = new SeccompStep(plan.filter().program(Architecture.host()), syscalls.raw())) {
            return spawn.spawn(request(room, plan, launch, answers.theirs())
                    .addConfinement(ConfinementSteps.noNewPrivs(syscalls.raw()), filter)
                    .build());
        }
    }

    private static void decide(Answers answers, Launch launch, NativeProcess process) {
        String program = launch.step().command().program();
        String found = answers.await(StepScript.READY, StepScript.MISSING, StepScript.REFUSED)
                .orElseThrow(() -> answers.failure(process, Enforcer.WAY_OUT));
        if (found.equals(StepScript.MISSING)) {
            throw CommandNotStartedException.notFound(program, "cannot be found: No such file or directory (ENOENT)");
        }
        if (found.startsWith(StepScript.REFUSED)) {
            throw CommandNotStartedException.notExecutable(program, "cannot be executed: Permission denied (EACCES)");
        }
    }

    /** The kernel lets uid 0 write to /proc/sys without any capability; a user's number owns nothing there. */
    private String sealProc() {
        return tools.get("mount") + " -i -o remount,bind,ro,nosuid,nodev,noexec /proc || exit 1; exec \"$@\"";
    }

    private SpawnRequest.Builder request(Room room, MountPlan plan, Launch launch, FileDescriptor answers) {
        List<FileDescriptor> descriptors = new ArrayList<>(List.of(answers));
        descriptors.addAll(room.namespaces());
        String script = StepScript.render(
                launch, plan.workDir(), tools, room.namespaces().size(), umask);
        List<String> argv = new ArrayList<>();
        argv.add(tools.get("nsenter"));
        argv.addAll(Room.arguments(plan, FIRST_NAMESPACE));
        argv.add("--");
        argv.addAll(tools.unshare("--mount-proc", "--"));
        if (root) {
            argv.addAll(List.of(tools.get("sh"), "-c", sealProc(), "sandbox-proc"));
        }
        argv.addAll(List.of(
                tools.get("setpriv"),
                "--no-new-privs",
                "--inh-caps=-all",
                "--ambient-caps=-all",
                "--bounding-set=-all",
                tools.get("sh"),
                "-c",
                script,
                "sandbox-init"));
        List<String> command = launch.step().command().argv();
        argv.addAll(command.subList(1, command.size()));
        return SpawnRequest.builder()
                .addPrograms(tools.get("nsenter"))
                .argv(argv)
                .environment(MangledEnvironment.of(launch.environment()))
                .workingDirectory("/")
                .stdin(launch.step().stdin())
                .stdout(launch.step().stdout())
                .stderr(launch.step().stderr())
                .descriptors(descriptors)
                .treeMemory(launch.limits().memory())
                .marker(launch.marker())
                .controlling(false)
                .terminal(Terminal.of(launch.step(), syscalls));
    }
}
