package dev.sandbox.app.cli;

import dev.sandbox.app.config.ResultDocument;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code --status-file} goes. Opened and emptied before anything runs: a file that cannot be written is told while there is
 * nothing to lose, what an earlier run left there is not taken for this one's result, and a step that may write in the same
 * folder cannot put a link in its place and have this process, which nothing confines, write elsewhere.
 */
final class StatusFile implements AutoCloseable {
    private final @Nullable Path file;
    private final @Nullable FileChannel channel;

    private StatusFile(@Nullable Path file, @Nullable FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Opens it, or nothing when none was asked for. */
    static StatusFile open(@Nullable Path file) {
        try {
            FileChannel channel = file == null
                    ? null
                    : FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.TRUNCATE_EXISTING);
            return new StatusFile(file, channel);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    /** The document is made only when asked for: loading the JSON library takes longer than many a command. */
    void write(Supplier<Map<String, Object>> document) {
        if (channel == null) {
            return;
        }
        ByteBuffer line = StandardCharsets.UTF_8.encode(ResultDocument.render(document.get()) + "\n");
        try {
            while (line.hasRemaining()) {
                channel.write(line);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static UsageException unwritable(@Nullable Path file, IOException e) {
        return new UsageException("--status-file: \"" + file + "\" cannot be written: " + e.getMessage());
    }
}
