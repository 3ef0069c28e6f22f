package dev.sandbox.app.cli;

import dev.sandbox.app.config.EnumWords;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.HostDevice;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.PackageConfig;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.policy.Toolchains;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.policy.UserNamespaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code sandbox run} as most callers write them, read without picocli, whose model of the options takes longer to
 * build than the step takes to run. It knows the options of {@link RunCommand} and {@link PolicyOptions} as {@code --name value},
 * {@code --name=value} and flags, up to {@code --}. Of everything else, and of whatever is wrong, it says nothing: that is picocli's
 * to read, to explain or to refuse. A test compares both over all options.
 */
final class PlainArguments {
    private static final int LONGEST_NUMBER = 18;

    private final RunCommand run = new RunCommand();
    private final PolicyOptions policy = run.options;
    private final EnvironmentOptions environment = policy.environment;
    private final LimitOptions limits = policy.limits;

    private PlainArguments() {}

    /** The command that picocli would make of these, {@code run} being the first; absent when picocli is to be asked. */
    static Optional<RunCommand> parse(String... arguments) {
        if (arguments.length == 0 || !arguments[0].equals("run")) {
            return Optional.empty();
        }
        PlainArguments plain = new PlainArguments();
        return plain.read(arguments) ? Optional.of(plain.run) : Optional.empty();
    }

    private boolean read(String... arguments) {
        int next = 1;
        while (next < arguments.length && !arguments[next].equals("--")) {
            String word = arguments[next++];
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            if (equals < 0 && flag(word)) {
                continue;
            }
            // What begins with a hyphen could be an option: picocli knows.
            String value = equals >= 0 ? word.substring(equals + 1) : next < arguments.length ? arguments[next++] : "-";
            if (value.startsWith("-") || !option(equals < 0 ? word : word.substring(0, equals), value)) {
                return false;
            }
        }
        if (next + 1 < arguments.length) {
            run.argv = new ArrayList<>(List.of(arguments).subList(next + 1, arguments.length));
        }
        return true;
    }

    /** Given twice, a flag is an error. */
    private boolean flag(String name) {
        return switch (name) {
            case "--keep-config" -> !run.keepConfig && (run.keepConfig = true);
            case "--json" -> !run.json && (run.json = true);
            case "--tty" -> !run.tty && (run.tty = true);
            case "--merge-output" -> !run.mergeOutput && (run.mergeOutput = true);
            case "--quiet" -> !run.quiet && (run.quiet = true);
            case "--pull" -> !run.pull && (run.pull = true);
            default -> false;
        };
    }

    private boolean option(String name, String value) {
        return switch (name) {
            case "-c" -> run.shell == null && (run.shell = value) != null;
            case "--config" -> run.config == null && (run.config = Path.of(value)) != null;
            case "--status-file" -> run.statusFile == null && (run.statusFile = Path.of(value)) != null;
            case "--stdin" -> run.stdin == null && (run.stdin = Path.of(value)) != null;
            default -> list(name, value) || once(name, value) || word(name, value) || number(name, value);
        };
    }

    private boolean list(String name, String value) {
        return switch (name) {
            case "--read" -> (policy.read = with(policy.read, value)) != null;
            case "--write" -> (policy.write = with(policy.write, value)) != null;
            case "--list" -> (policy.list = with(policy.list, value)) != null;
            case "--block" -> (policy.block = with(policy.block, value)) != null;
            case "--block-write" -> (policy.blockWrite = with(policy.blockWrite, value)) != null;
            case "--system-path" -> (policy.systemPath = with(policy.systemPath, value)) != null;
            case "--allow-socket" -> (policy.allowSocket = with(policy.allowSocket, value)) != null;
            case "--host-device" -> hostDevice(constant(HostDevice.class, value));
            case "--env" -> (environment.env = with(environment.env, value)) != null;
            case "--pass-env" -> (environment.passEnv = with(environment.passEnv, value)) != null;
            case "--mask-env" -> (environment.maskEnv = with(environment.maskEnv, value)) != null;
            case "--block-env" -> (environment.blockEnv = with(environment.blockEnv, value)) != null;
            case "--require" -> (policy.require = with(policy.require, value)) != null;
            default -> false;
        };
    }

    private boolean hostDevice(@Nullable HostDevice device) {
        return device != null && (policy.hostDevice = with(policy.hostDevice, device)) != null;
    }

    private static <T> List<T> with(List<T> list, T value) {
        List<T> longer = list instanceof ArrayList ? list : new ArrayList<>();
        longer.add(value);
        return longer;
    }

    private boolean once(String name, String value) {
        return switch (name) {
            case "--policy" -> policy.policy == null && (policy.policy = Path.of(value)) != null;
            case "--base" -> policy.base == null && (policy.base = value) != null;
            case "--workdir" -> policy.workdir == null && (policy.workdir = value) != null;
            case "--cache-dir" -> policy.cacheDir == null && (policy.cacheDir = value) != null;
            case "--network" -> policy.network == null && (policy.network = value) != null;
            case "--run-as" -> policy.runAs == null && (policy.runAs = value) != null;
            case "--backend" -> policy.backend == null && (policy.backend = value) != null;
            case "--image" -> policy.image == null && (policy.image = value) != null;
            case "--timeout" -> limits.timeout == null && (limits.timeout = value) != null;
            case "--max-output" -> limits.maxOutput == null && (limits.maxOutput = value) != null;
            case "--memory" -> limits.memory == null && (limits.memory = value) != null;
            case "--max-file-size" -> limits.maxFileSize == null && (limits.maxFileSize = value) != null;
            case "--cpu-time" -> limits.cpuTime == null && (limits.cpuTime = value) != null;
            default -> false;
        };
    }

    private boolean word(String name, String value) {
        return switch (name) {
            case "--home" -> policy.home == null && (policy.home = constant(HomeMode.class, value)) != null;
            case "--toolchains" ->
                policy.toolchains == null && (policy.toolchains = constant(Toolchains.class, value)) != null;
            case "--package-config" ->
                policy.packageConfig == null && (policy.packageConfig = constant(PackageConfig.class, value)) != null;
            case "--tmp" -> policy.tmp == null && (policy.tmp = constant(TmpMode.class, value)) != null;
            case "--proc" -> policy.proc == null && (policy.proc = constant(ProcAccess.class, value)) != null;
            case "--user-namespaces" ->
                policy.userNamespaces == null
                        && (policy.userNamespaces = constant(UserNamespaces.class, value)) != null;
            case "--on-missing" ->
                policy.onMissing == null && (policy.onMissing = constant(OnMissing.class, value)) != null;
            case "--env-inherit" ->
                environment.envInherit == null && (environment.envInherit = constant(Inheritance.class, value)) != null;
            case "--env-mode" ->
                environment.envMode == null && (environment.envMode = constant(EnvironmentMode.class, value)) != null;
            case "--trust-handoff" ->
                policy.trustHandoff == null
                        && (policy.trustHandoff = constant(TrustHandoff.Protection.class, value)) != null;
            default -> false;
        };
    }

    private static <E extends Enum<E>> @Nullable E constant(Class<E> type, String value) {
        try {
            return EnumWords.parse(type, value.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            return null; // picocli comes to the same end, and says so
        }
    }

    private boolean number(String name, String value) {
        if (value.isEmpty() || value.length() > LONGEST_NUMBER || !isDecimal(value)) {
            return false;
        }
        return switch (name) {
            case "--max-processes" ->
                limits.maxProcesses == null && (limits.maxProcesses = Long.valueOf(value)) != null;
            case "--max-open-files" ->
                limits.maxOpenFiles == null && (limits.maxOpenFiles = Long.valueOf(value)) != null;
            default -> false;
        };
    }

    private static boolean isDecimal(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
