package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.result.CapturedOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks the system's own programs about the host, for diagnosis. Found in trusted folders only, never on the caller's PATH. */
public final class HostTools {
    /** How {@link #firstLine} begins when there was no program to ask. */
    public static final String NOT_STARTED = "cannot be started: ";

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int WORDS_KEPT = 400;
    private static final List<String> TRUSTED = List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin");

    private HostTools() {}

    /** The trusted path of a program. */
    public static Optional<String> locate(String tool) {
        return TRUSTED.stream()
                .map(folder -> folder + "/" + tool)
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst();
    }

    /** The first line that a program of the system prints, on either stream. It runs unconfined: never a step's program. */
    public static String firstLine(List<String> argv) {
        CapturedOutput words = new CapturedOutput(WORDS_KEPT);
        SpawnRequest request = SpawnRequest.builder()
                .addPrograms(argv.get(0))
                .argv(argv)
                .putEnvironment("PATH", String.join(":", TRUSTED))
                .putEnvironment("LC_ALL", "C")
                .putEnvironment("HOME", "/nonexistent")
                .workingDirectory("/")
                .marker(RunMarker.next())
                .build();
        try (NativeProcess process = new ConfinedSpawn().spawn(request)) {
            process.exchange(Exchange.builder()
                    .stdout(words)
                    .stderr(words)
                    .timeout(PATIENCE)
                    .build());
        } catch (RuntimeException e) {
            return NOT_STARTED + e.getMessage();
        }
        return words.text().lines().findFirst().orElse("");
    }
}
