package dev.sandbox.app.cli;

import dev.sandbox.app.config.CallersPaths;
import dev.sandbox.app.config.NetworkOption;
import dev.sandbox.app.config.PolicyFile;
import dev.sandbox.app.config.RunAsOption;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.HostDevice;
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
import dev.sandbox.linux.HostFileSystemView;
import dev.sandbox.linux.LinuxSyscalls;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
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

    @Mixin
    final EnvironmentOptions environment = new EnvironmentOptions();

    @Mixin
    final LimitOptions limits = new LimitOptions();

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
                .environment(environment.addTo(given.environment()))
                .limits(limits.addTo(given.limits()));
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
                .map(text -> OptionWords.read("--run-as", text, RunAsOption::parse))
                .ifPresent((RunAs identity) -> merged.runAs(identity));
        Optional.ofNullable(backend).map(PolicyOptions::backend).ifPresent(merged::backend);
        require.forEach(id -> merged.addRequire(guarantee(id)));
        return merged.build();
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

    private static NetworkPolicy network(String text) {
        return OptionWords.read("--network", text, NetworkOption::parse);
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
