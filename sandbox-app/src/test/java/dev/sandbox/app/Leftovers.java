package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.docker.ContainerEngine;
import dev.sandbox.domain.isolation.BackendName;
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

    /** The watchdog and Docker's connections belong to the JVM, not to a session. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("sandbox-"))
                .toList();
    }

    /** Those of this JVM, where there is an engine. */
    static List<String> containers() {
        return Steps.isUsable(BackendName.DOCKER) ? ContainerEngine.connect().ofThisProcess() : List.of();
    }

    /** Names of the sandbox's own folders below /tmp. */
    static Set<String> temporary() {
        try (Stream<Path> entries = Files.list(Path.of("/tmp"))) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith("sbx-"))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
