package dev.sandbox.app.cli;

import dev.sandbox.app.config.CallersPaths;
import dev.sandbox.app.config.EnvironmentEntry;
import dev.sandbox.app.config.NetworkOption;
import dev.sandbox.app.config.PolicyFile;
import dev.sandbox.app.config.Quantity;
import dev.sandbox.app.config.RunAsOption;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.HostDevice;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.PackageConfig;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.policy.Toolchains;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.linux.HostFileSystemView;
import dev.sandbox.linux.LinuxSyscalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that make a policy. They add to {@code --policy FILE}; they take none of its blocks away. */
final class PolicyOptions {
    @Option(names = "--policy", paramLabel = "FILE", description = "Policy in YAML or JSON.")
    @Nullable
    Path policy;

    @Option(
            names = "--base",
            paramLabel = "DIR",
            description = "What relative paths are relative to (default: the current directory).")
    @Nullable
    String base;

    @Option(names = "--workdir", paramLabel = "DIR", description = "Where the command starts (default: the base).")
    @Nullable
    String workdir;

    @Option(names = "--read", paramLabel = "P", description = "Grant reading, listing and executing. Repeatable.")
    List<String> read = List.of();

    @Option(
            names = "--write",
            paramLabel = "P",
            description = "Grant reading, writing, creating and deleting. Repeatable.")
    List<String> write = List.of();

    @Option(names = "--list", paramLabel = "P", description = "Grant listing names. Repeatable.")
    List<String> list = List.of();

    @Option(
            names = "--block",
            paramLabel = "P",
            description = "Neither read nor write; wins over every grant. Repeatable.")
    List<String> block = List.of();

    @Option(
            names = "--block-write",
            paramLabel = "P",
            description = "Never write; wins over every write grant. Repeatable.")
    List<String> blockWrite = List.of();

    @Option(
            names = "--system-path",
            paramLabel = "P",
            description = "Read and execute, for tools outside the system folders. Repeatable.")
    List<String> systemPath = List.of();

    @Option(
            names = "--toolchains",
            paramLabel = "none|path",
            description = "path: run the tools of your own on PATH (pyenv, nvm, rustup, ...) as well (default: none).")
    @Nullable
    Toolchains toolchains;

    @Option(
            names = "--package-config",
            paramLabel = "private|inherit",
            description = "inherit: carry mirrors, proxies and the git author over, no credentials (default: private).")
    @Nullable
    PackageConfig packageConfig;

    @Option(
            names = "--home",
            paramLabel = "private|inherit",
            description = "Which HOME the command sees (default: private).")
    @Nullable
    HomeMode home;

    @Option(names = "--tmp", paramLabel = "private|host|none", description = "Which /tmp the command sees.")
    @Nullable
    TmpMode tmp;

    @Option(names = "--proc", paramLabel = "none|self|all", description = "What of /proc is readable (default: self).")
    @Nullable
    ProcAccess proc;

    @Option(
            names = "--host-device",
            paramLabel = "pty|shm",
            description =
                    "Share the host's terminals or shared memory (landlock; the others have their own). Repeatable.")
    List<HostDevice> hostDevice = List.of();

    @Option(
            names = "--user-namespaces",
            paramLabel = "deny|allow",
            description = "Whether the command may make user namespaces, as browsers do (default: deny).")
    @Nullable
    UserNamespaces userNamespaces;

    @Option(
            names = "--allow-socket",
            paramLabel = "P",
            description = "A grant may hand over this service's socket. Repeatable.")
    List<String> allowSocket = List.of();

    @Option(
            names = "--network",
            paramLabel = "allow|none|tcp:PORT,...|domains:NAME,...",
            description = "Which network (default: allow).")
    @Nullable
    String network;

    @Option(
            names = "--cache-dir",
            paramLabel = "DIR",
            description = "Where caches and user installs are kept across runs; inside a write grant.")
    @Nullable
    String cacheDir;

    @Option(
            names = "--on-missing",
            paramLabel = "skip|create|refuse",
            description = "A grant whose path does not exist (default: skip if read, create if written).")
    @Nullable
    OnMissing onMissing;

    @Option(
            names = "--env",
            paramLabel = "K=V|NAME",
            description = "Set a variable; a name alone takes the caller's value, if there is one. Repeatable.")
    List<String> env = List.of();

    @Option(
            names = "--pass-env",
            paramLabel = "NAME",
            description = "Let a variable through although it looks like a secret. Repeatable.")
    List<String> passEnv = List.of();

    @Option(
            names = "--mask-env",
            paramLabel = "NAME",
            description = "Replace the value of a variable that is set or passed by *** in the output. Repeatable.")
    List<String> maskEnv = List.of();

    @Option(
            names = "--env-mode",
            paramLabel = "native|container",
            description = "Inherit all variables but secrets, or set a strict list (default: native).")
    @Nullable
    EnvironmentMode envMode;

    @Option(
            names = "--env-inherit",
            paramLabel = "scrubbed|listed",
            description = "Inherit all but secrets, or only well-known names (default: scrubbed).")
    @Nullable
    Inheritance envInherit;

    @Option(
            names = "--block-env",
            paramLabel = "NAME",
            description = "Do not inherit a variable; a * at the end stands for any rest. Repeatable.")
    List<String> blockEnv = List.of();

    @Option(
            names = "--run-as",
            paramLabel = "USER[:GROUP]|owner",
            description =
                    "Run as somebody else, by name or number; only for root. owner: who owns the working directory.")
    @Nullable
    String runAs;

    @Option(
            names = "--trust-handoff",
            paramLabel = "default|none",
            description = "Keep git hooks, editor settings and the like from being written, where the backend can.")
    TrustHandoff.@Nullable Protection trustHandoff;

    @Option(
            names = "--backend",
            paramLabel = "auto|landlock|mountns|docker",
            description = "Which mechanism (default: auto, the first that can).")
    @Nullable
    String backend;

    @Option(names = "--image", paramLabel = "IMAGE", description = "Container image (docker).")
    @Nullable
    String image;

    @Option(
            names = "--require",
            paramLabel = "GUARANTEE",
            description = "Refuse unless it is guaranteed, e.g. fs.metadata. Repeatable.")
    List<String> require = List.of();

    @Option(names = "--timeout", paramLabel = "30s", description = "End the command after this time.")
    @Nullable
    String timeout;

    @Option(
            names = "--max-output",
            paramLabel = "10MiB",
            description = "Keep at most this much of each output, head and tail (with --json).")
    @Nullable
    String maxOutput;

    @Option(names = "--memory", paramLabel = "512MiB", description = "Bound the memory.")
    @Nullable
    String memory;

    @Option(names = "--max-processes", paramLabel = "64", description = "Bound the number of processes.")
    @Nullable
    Long maxProcesses;

    @Option(names = "--max-file-size", paramLabel = "1GiB", description = "Bound the size of a file.")
    @Nullable
    String maxFileSize;

    @Option(names = "--max-open-files", paramLabel = "1024", description = "Bound the open files.")
    @Nullable
    Long maxOpenFiles;

    @Option(names = "--cpu-time", paramLabel = "10s", description = "Bound each process's time on processors.")
    @Nullable
    String cpuTime;

    /** The policy of a file, with a base of the caller's if there is one. */
    static SandboxPolicy ofFile(Path file, @Nullable String base) {
        PolicyOptions options = new PolicyOptions();
        options.policy = file;
        options.base = base;
        return options.toPolicy();
    }

    /** The policy of the file, if any, with the options added. */
    SandboxPolicy toPolicy() {
        AbsolutePath current = currentDirectory();
        SandboxPolicy fromFile =
                policy == null ? SandboxPolicy.builder().baseDir(current).build() : PolicyFile.read(policy, current);
        return addTo(fromFile);
    }

    /** A policy with the options added. */
    SandboxPolicy addTo(SandboxPolicy given) {
        SandboxPolicy.Builder merged = SandboxPolicy.builder()
                .from(given)
                .addAllReadPaths(paths(read))
                .addAllWritePaths(paths(write))
                .addAllListPaths(paths(list))
                .addAllBlockedPaths(paths(block))
                .addAllBlockedWritePaths(paths(blockWrite))
                .addAllExtraSystemPaths(paths(systemPath))
                .addAllAllowSockets(paths(allowSocket))
                .addAllHostDevices(hostDevice)
                .environment(environment(given.environment()))
                .limits(limits(given.limits()));
        Optional.ofNullable(base)
                .map(PolicyOptions::path)
                .map(PolicyOptions::absolute)
                .ifPresent(merged::baseDir);
        Optional.ofNullable(workdir).map(PolicyOptions::path).ifPresent(merged::workDir);
        Optional.ofNullable(cacheDir).map(PolicyOptions::path).ifPresent(merged::cacheDir);
        Optional.ofNullable(onMissing).ifPresent((OnMissing what) -> merged.onMissing(what));
        Optional.ofNullable(home).ifPresent(merged::home);
        Optional.ofNullable(toolchains).ifPresent(merged::toolchains);
        Optional.ofNullable(packageConfig).ifPresent(merged::packageConfig);
        Optional.ofNullable(tmp).ifPresent(merged::tmp);
        Optional.ofNullable(proc).ifPresent(merged::proc);
        Optional.ofNullable(userNamespaces).ifPresent(merged::userNamespaces);
        Optional.ofNullable(network).map(PolicyOptions::network).ifPresent(merged::network);
        Optional.ofNullable(image).ifPresent(merged::image);
        Optional.ofNullable(trustHandoff)
                .ifPresent((TrustHandoff.Protection protect) -> merged.trustHandoff(TrustHandoff.builder()
                        .from(given.trustHandoff())
                        .protect(protect)
                        .build()));
        Optional.ofNullable(runAs)
                .map(text -> word("--run-as", text, RunAsOption::parse))
                .ifPresent((RunAs identity) -> merged.runAs(identity));
        Optional.ofNullable(backend).map(PolicyOptions::backend).ifPresent(merged::backend);
        require.forEach(id -> merged.addRequire(guarantee(id)));
        return merged.build();
    }

    private EnvironmentPolicy environment(EnvironmentPolicy given) {
        Map<String, String> set = new LinkedHashMap<>(given.set());
        for (String entry : env) {
            int equals = entry.indexOf('=');
            if (equals == 0) {
                throw new UsageException("--env: \"\" is no variable's name; write NAME=VALUE or NAME");
            }
            String name = equals < 0 ? entry : entry.substring(0, equals);
            String value = equals < 0 ? CallerEnvironment.get().get(name) : entry.substring(equals + 1);
            if (value == null) {
                continue;
            }
            Optional<Problem> problem = EnvironmentEntry.problem("--env", name, value);
            if (problem.isPresent()) {
                throw new UsageException(problem.get().line());
            }
            set.put(name, value);
        }
        EnvironmentPolicy.Builder merged = EnvironmentPolicy.builder()
                .from(given)
                .set(set)
                .addAllPass(passEnv)
                .addAllBlock(blockEnv)
                .addAllMask(maskEnv);
        Optional.ofNullable(envMode).ifPresent(merged::mode);
        Optional.ofNullable(envInherit).ifPresent(merged::inherit);
        return merged.build();
    }

    private Limits limits(Limits given) {
        Limits.Builder merged = Limits.builder().from(given);
        Optional.ofNullable(timeout)
                .map(text -> word("--timeout", text, Quantity::duration))
                .ifPresent((Duration d) -> merged.timeout(d));
        Optional.ofNullable(maxOutput)
                .map(text -> word("--max-output", text, Quantity::bytes))
                .ifPresent(merged::output);
        Optional.ofNullable(memory)
                .map(text -> word("--memory", text, Quantity::memory))
                .ifPresent(merged::memory);
        Optional.ofNullable(maxFileSize)
                .map(text -> word("--max-file-size", text, Quantity::bytes))
                .ifPresent(merged::fileSize);
        Optional.ofNullable(cpuTime)
                .map(text -> word("--cpu-time", text, Quantity::duration))
                .ifPresent((Duration d) -> merged.cpuTime(d));
        Optional.ofNullable(maxProcesses)
                .map(n -> positive("--max-processes", n))
                .ifPresent(merged::processes);
        Optional.ofNullable(maxOpenFiles)
                .map(n -> positive("--max-open-files", n))
                .ifPresent(merged::openFiles);
        return merged.build();
    }

    private static <T> T word(String option, String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + ": " + e.getMessage());
        }
    }

    private static String path(String written) {
        try {
            return CallersPaths.of(CallerEnvironment.get()).expand(written);
        } catch (IllegalArgumentException e) {
            throw new PolicyInvalidException("", String.valueOf(e.getMessage()), "set it, or write the path");
        }
    }

    private static List<String> paths(List<String> written) {
        return written.stream().map(PolicyOptions::path).toList();
    }

    private static long positive(String option, long value) {
        if (value < 1) {
            throw new UsageException(option + ": " + value + " is not a whole number from 1 on");
        }
        return value;
    }

    private static NetworkPolicy network(String text) {
        return word("--network", text, NetworkOption::parse);
    }

    private static Optional<BackendName> backend(String id) {
        if (id.equals("auto")) {
            return Optional.empty();
        }
        Optional<BackendName> name = BackendName.findStandard(id);
        if (name.isEmpty()) {
            throw new UsageException("--backend: \"" + id + "\" is not one of auto, landlock, mountns, docker");
        }
        return name;
    }

    private static Guarantee guarantee(String id) {
        return Guarantee.of(id)
                .orElseThrow(() ->
                        new UsageException("--require: \"" + id + "\" is no guarantee; sandbox doctor lists them"));
    }

    /** A relative base is taken from the current directory. */
    private static AbsolutePath absolute(String text) {
        try {
            return PathResolution.named(currentDirectory(), text, new HostFileSystemView(LinuxSyscalls.host()));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--base: \"" + text + "\" " + e.getMessage());
        }
    }

    static AbsolutePath currentDirectory() {
        return AbsolutePath.of(Path.of("").toAbsolutePath().toString());
    }
}
