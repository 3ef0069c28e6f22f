package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.docker.ContainerEngine;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.linux.ControlFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What sessions of this JVM could leave outside their steps. */
final class Leftovers {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private Leftovers() {}

    /** Waits for it: another process's work may be under way. */
    static void assertGone(String what, Supplier<? extends Collection<String>> look) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!look.get().isEmpty() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(look.get()).as(what).isEmpty();
    }

    /** The watchdog, Docker's connections and those that wait for the next spawn belong to the JVM, not to a session. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        !thread.getName().startsWith("sandbox-spawn-") || thread.getState() == Thread.State.RUNNABLE)
                .map(Thread::getName)
                .filter(name -> name.startsWith("sandbox-"))
                .toList();
    }

    /** Those of this JVM, where there is an engine. */
    static List<String> containers() {
        return Steps.isUsable(BackendName.DOCKER) ? ContainerEngine.connect().ofThisProcess() : List.of();
    }

    /** Names of the sandbox's own short-lived folders. */
    static Set<String> temporary() {
        Path records = Path.of(ControlFolder.ofThisAccount().records().toString());
        return Stream.of(Path.of("/tmp"), Path.of("/var/tmp"), records.getParent())
                .filter(Files::isDirectory)
                .flatMap(Leftovers::names)
                .filter(name -> name.startsWith("sbx-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> names(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
