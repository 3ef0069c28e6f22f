package dev.sandbox.app.cli;

import dev.sandbox.app.config.EnvironmentEntry;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.problem.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which variables a step sees. */
final class EnvironmentOptions {
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

    /** What is given, with the options added. */
    EnvironmentPolicy addTo(EnvironmentPolicy given) {
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
}
