package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.linux.RunMarker;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is started in the file system that a plan describes.
 *
 * @param step the command and its streams
 * @param environment all its variables
 * @param programs where the program may be, tried in order
 * @param limits bounds of each process and of the tree
 * @param marker marks every process of the run
 */
record Launch(StepRequest step, Map<String, String> environment, List<String> programs, Limits limits, String marker) {
    Launch {
        environment = new TreeMap<>(environment);
        programs = List.copyOf(programs);
    }

    static Launch of(StepRequest step, Map<String, String> environment, List<String> searchPath, Limits limits) {
        String program = step.command().program();
        List<String> programs = program.contains("/")
                ? List.of(program)
                : searchPath.stream()
                        .filter(directory -> directory.startsWith("/"))
                        .map(directory -> directory + "/" + program)
                        .toList();
        // A program that is nowhere must be told of by its name, not by an empty list.
        List<String> candidates = programs.isEmpty() ? List.of("/nonexistent/" + program) : programs;
        return new Launch(step, environment, candidates, limits, RunMarker.next());
    }
}
