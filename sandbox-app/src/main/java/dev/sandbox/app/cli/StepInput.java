package dev.sandbox.app.cli;

import dev.sandbox.domain.isolation.Stdio;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code --stdin FILE} feeds the step with; opened before anything runs. */
final class StepInput implements AutoCloseable {
    private final Optional<InputStream> file;

    private StepInput(Optional<InputStream> file) {
        this.file = file;
    }

    /** Of the file, if one is named. */
    static StepInput of(@Nullable Path file) {
        if (file == null) {
            return new StepInput(Optional.empty());
        }
        // Opening a FIFO waits for who writes to it, and no timeout runs yet.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new UsageException(
                    "--stdin: \"" + file + "\" is not a regular file; name one, or redirect standard input");
        }
        try {
            return new StepInput(Optional.of(Files.newInputStream(file)));
        } catch (NoSuchFileException e) {
            throw new UsageException("--stdin: \"" + file + "\" does not exist");
        } catch (AccessDeniedException e) {
            throw new UsageException("--stdin: \"" + file + "\" cannot be read: permission denied");
        } catch (IOException e) {
            throw new UsageException("--stdin: \"" + file + "\" cannot be read: " + e.getMessage());
        }
    }

    /** How the step gets it, or the other way when no file is named. */
    Stdio kind(Stdio without) {
        return file.isPresent() ? Stdio.PIPE : without;
    }

    InputStream stream() {
        return file.orElseGet(InputStream::nullInputStream);
    }

    @Override
    public void close() {
        file.ifPresent(StepInput::close);
    }

    private static void close(InputStream open) {
        try {
            open.close();
        } catch (IOException e) {
            return; // it was read from only
        }
    }
}
