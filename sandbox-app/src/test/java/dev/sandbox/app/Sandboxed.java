package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The packaged {@code bin/sandbox}, run as a user runs it: on this test's Java, from a folder, with an environment of its own. */
final class Sandboxed {
    /** Where the module lies; surefire and failsafe start tests there. */
    static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().normalize();

    static final Path PRODUCT = MODULE.resolve("target/dist");

    static final Path PROGRAM = PRODUCT.resolve("bin/sandbox");

    private static final int PATIENCE_MINUTES = 5;

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();
    private byte[] input = {};
    private Path program = PROGRAM;
    private List<String> backend = List.of();
    private List<String> wrapper = List.of();

    private Sandboxed(Path folder) {
        this.folder = folder;
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", folder.toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    /** Calls from this folder, which is also HOME. */
    static Sandboxed from(Path folder) {
        assertThat(PROGRAM).as("built by mvn package").isExecutable();
        return new Sandboxed(folder);
    }

    Sandboxed with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Sandboxed input(byte[] bytes) {
        input = bytes.clone();
        return this;
    }

    /** Another copy of the program. */
    Sandboxed installedAt(Path copy) {
        program = copy;
        return this;
    }

    /** By way of another program, which is given this one's command line. */
    Sandboxed under(String... command) {
        wrapper = List.of(command);
        return this;
    }

    /** Every {@code sandbox run} names this backend. */
    Sandboxed withBackend(String name) {
        backend = List.of("--backend", name);
        return this;
    }

    Outcome run(String... arguments) {
        return run(List.of(arguments));
    }

    /** Runs the wrapper by itself. */
    Outcome alone() {
        return start(wrapper);
    }

    /** Runs {@code sandbox} to its end. Streams go through files: no pump, and nothing that could fill a pipe. */
    Outcome run(List<String> arguments) {
        List<String> named = new ArrayList<>(arguments);
        if (!named.isEmpty() && named.get(0).equals("run")) {
            named.addAll(1, backend);
        }
        return start(Stream.of(wrapper, List.of(program.toString()), named)
                .flatMap(List::stream)
                .toList());
    }

    private Outcome start(List<String> command) {
        try {
            Path streams = Files.createTempDirectory("streams");
            try {
                return start(command, streams);
            } finally {
                for (String name : List.of("in", "out", "err")) {
                    Files.deleteIfExists(streams.resolve(name));
                }
                Files.delete(streams);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Outcome start(List<String> command, Path streams) throws IOException, InterruptedException {
        Path in = Files.write(streams.resolve("in"), input);
        Path out = streams.resolve("out");
        Path err = streams.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES))
                    .as("ended: %s", command)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(
                process.exitValue(),
                Files.readAllBytes(out),
                new String(Files.readAllBytes(err), StandardCharsets.UTF_8));
    }

    /** How a call of {@code sandbox} ended. */
    static final class Outcome {
        private final int code;
        private final byte[] bytes;
        private final String err;

        Outcome(int code, byte[] bytes, String err) {
            this.code = code;
            this.bytes = bytes;
            this.err = err;
        }

        int code() {
            return code;
        }

        /** Standard output as it came. */
        byte[] bytes() {
            return bytes.clone();
        }

        String err() {
            return err;
        }

        String out() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        /** Fails with everything it said unless it ended with this code. */
        Outcome ended(int expected) {
            assertThat(code).as("%s", this).isEqualTo(expected);
            return this;
        }

        /** Asserts exactly one line on standard error, which begins so, nothing on standard output, and exit code 125. */
        void refused(String beginning) {
            assertThat(err).as("%s", this).startsWith(beginning).endsWith("\n").containsOnlyOnce("\n");
            assertThat(bytes).as("%s", this).isEmpty();
            assertThat(code).as("%s", this).isEqualTo(125);
        }

        @Override
        public String toString() {
            return "exit code " + code + "\n-- stdout\n" + out() + "\n-- stderr\n" + err;
        }
    }
}
