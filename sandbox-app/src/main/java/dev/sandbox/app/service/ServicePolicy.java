package dev.sandbox.app.service;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the server allows, and how an order is held against it. An order names its own grants within the confines; everything else
 * it may only narrow.
 *
 * @param standard runs what comes without paths and policy of its own; its blocks, system paths, network and limits hold for all
 * @param confines where an order's paths may lie
 * @param environment which variables an order may set
 * @param usual time for an order that names none
 * @param longest time that an order may name
 */
public record ServicePolicy(
        SandboxPolicy standard, Confines confines, ExtraEnvironment environment, Duration usual, Duration longest) {

    /**
     * The step that an order becomes.
     *
     * @throws PolicyInvalidException when it asks for more than the server allows
     */
    public StepJob job(StepOrder order) {
        List<Problem> problems = new ArrayList<>();
        Set<String> paths = new LinkedHashSet<>();
        PolicyNarrowing narrowing = new PolicyNarrowing(this, problems, paths);
        SandboxPolicy.Builder merged = narrowing.begin(order);
        order.workingDirectory().ifPresent(directory -> narrowing.workDir("working_directory", directory, merged));
        Optional<Duration> ofPolicy = narrowing.timeout();
        merged.limits(Limits.builder()
                .from(narrowing.limits())
                .timeout(timeout(order, ofPolicy, problems))
                .build());
        Map<String, String> given = new LinkedHashMap<>(narrowing.variables());
        given.putAll(order.extraEnvironment());
        ExtraEnvironment.Filtered filtered = environment.filter(given);
        Map<String, String> set = new LinkedHashMap<>(standard.environment().set());
        set.putAll(filtered.variables());
        merged.environment(EnvironmentPolicy.builder()
                .from(narrowing.environment())
                .set(set)
                .build());
        if (!problems.isEmpty()) {
            throw new PolicyInvalidException(problems);
        }
        List<String> notes = new ArrayList<>(order.notes());
        notes.addAll(filtered.notes());
        return new StepJob(
                merged.build(), resolved -> confines.require(paths, resolved), Command.shell(order.command()), notes);
    }

    /** The longest time, by the server's own word and by its policy's. */
    public Duration most() {
        return standard.limits()
                .timeout()
                .filter(limit -> limit.compareTo(longest) < 0)
                .orElse(longest);
    }

    /** The time of an order that names none. */
    public Duration unasked() {
        Duration most = most();
        return usual.compareTo(most) < 0 ? usual : most;
    }

    private Duration timeout(StepOrder order, Optional<Duration> ofPolicy, List<Problem> problems) {
        Duration most = most();
        Optional<Duration> asked = order.timeout().or(() -> ofPolicy);
        if (asked.isEmpty()) {
            return unasked();
        }
        if (asked.get().isZero()) {
            return ofPolicy.orElse(most);
        }
        if (asked.get().compareTo(most) > 0) {
            problems.add(new Problem(
                    "timeout",
                    seconds(asked.get()) + " is more than the server's " + seconds(most),
                    "ask for less, or for 0, the most that it gives"));
            return most;
        }
        return ofPolicy.filter(limit -> limit.compareTo(asked.get()) < 0).orElse(asked.get());
    }

    private static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() / 1000.0 + " s";
    }
}
