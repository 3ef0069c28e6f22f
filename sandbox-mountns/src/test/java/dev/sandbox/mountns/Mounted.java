package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

/** A tmpfs mounted on the host for as long as a test needs it. */
record Mounted(Path point) implements AutoCloseable {
    static Mounted tmpfs(Path point, String options) throws IOException {
        run("/usr/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", point.toString());
        return new Mounted(point);
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        process.onExit().join();
        assertThat(process.exitValue()).isZero();
    }

    @Override
    public void close() throws IOException {
        run("/usr/bin/umount", point.toString());
    }
}
