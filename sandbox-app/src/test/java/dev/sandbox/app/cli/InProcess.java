package dev.sandbox.app.cli;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.StandardSandbox;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/** The same {@link Main} in the test's own JVM, for tests of many refusals, of which each would otherwise pay for a JVM. */
public final class InProcess {
    private InProcess() {}

    /**
     * What it said and its exit code.
     *
     * @param code the exit code
     * @param out standard output
     * @param err standard error
     */
    public record Said(int code, String out, String err) {}

    /** Runs with an empty environment. Not for commands that read standard input: that of a test JVM is not theirs. */
    public static Said run(String... arguments) {
        return run(() -> Sandboxes.standard(Map.of()), arguments);
    }

    /** As {@link #run(String...)}, over a sandbox of the caller's. */
    public static Said run(Supplier<StandardSandbox> sandbox, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream formerOut = System.out;
        PrintStream formerErr = System.err;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        int code;
        try {
            code = Main.execute(sandbox, arguments);
        } finally {
            System.setOut(formerOut);
            System.setErr(formerErr);
        }
        return new Said(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
