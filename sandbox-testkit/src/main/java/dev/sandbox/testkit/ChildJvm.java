package dev.sandbox.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own with this one's Java and class path, for what a test can do to no JVM that runs it. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Runs a class's {@code main}. */
    public static ProcessBuilder of(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }
}
