package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which JVM has which placeholders, among the {@link ControlFolder}'s records: a file for each JVM, named by its
 * {@link ProcessIdentity}, so that what a killed one left is found by the next. What a file says is a hint: whoever acts on it looks
 * at the placeholder itself. A file of a JVM that cannot be seen from here counts as one that is alive.
 */
final class PlaceholderJournal {
    private static final String NAME = "placeholders";
    private static final String LOCK = "lock";

    /**
     * One placeholder of one JVM.
     *
     * @param placeholder what
     * @param identity what {@link PlaceholderFiles#identity} says; empty while it is being made
     */
    record Line(HostPlaceholder placeholder, String identity) {
        String text() {
            return placeholder.kind().id() + " "
                    + OctalText.escape(placeholder.path().toString()) + " " + identity;
        }

        /** Absent for a line that no sandbox wrote. */
        static Optional<Line> parse(String text) {
            String[] fields = text.split(" ", 3);
            try {
                EntryKind kind = EntryKind.DIRECTORY.id().equals(fields[0]) ? EntryKind.DIRECTORY : EntryKind.FILE;
                if (fields.length != 3 || !kind.id().equals(fields[0])) {
                    return Optional.empty();
                }
                AbsolutePath path = AbsolutePath.of(OctalText.unescape(fields[1]));
                return Optional.of(new Line(new HostPlaceholder(path, kind), fields[2]));
            } catch (IllegalArgumentException noPath) {
                return Optional.empty();
            }
        }
    }

    private final ControlFolder control;
    private final String self = ProcessIdentity.self().text();

    PlaceholderJournal(ControlFolder control) {
        this.control = control;
    }

    boolean exists() {
        return folder().filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS))
                .isPresent();
    }

    private Optional<Path> folder() {
        return control.found().map(state -> state.resolve(NAME));
    }

    /** Runs alone among all JVMs of this account; the caller sees to its own threads. */
    <T> T locked(Callable<T> action) {
        try {
            Path folder = control.make().resolve(NAME);
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try (FileChannel channel = FileChannel.open(
                            folder.resolve(LOCK),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS);
                    FileLock held = channel.lock()) {
                if (!held.isValid()) {
                    throw new IOException("the lock was lost");
                }
                return action.call();
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SandboxUnavailableException(
                    "placeholders",
                    "cannot keep the list of placeholders in " + control + ": " + e,
                    "make it writable",
                    e);
        }
    }

    List<Line> mine() {
        return read(self);
    }

    void write(List<Line> lines) throws IOException {
        Path file = control.make().resolve(NAME).resolve(self);
        if (lines.isEmpty()) {
            Files.deleteIfExists(file);
        } else {
            Files.write(
                    file,
                    lines.stream().map(Line::text).toList(),
                    StandardCharsets.US_ASCII,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** What other JVMs have that still run, or may. */
    List<Line> others() {
        List<Line> lines = new ArrayList<>();
        for (ProcessIdentity owner : owners()) {
            if (!owner.text().equals(self) && owner.state() != ProcessIdentity.State.GONE) {
                lines.addAll(read(owner.text()));
            }
        }
        return lines;
    }

    /** What JVMs that no longer run have left; forgotten when this returns. */
    List<Line> takeAbandoned() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (ProcessIdentity owner : owners()) {
            if (owner.state() == ProcessIdentity.State.GONE) {
                lines.addAll(read(owner.text()));
                Files.deleteIfExists(control.make().resolve(NAME).resolve(owner.text()));
            }
        }
        return lines;
    }

    private List<ProcessIdentity> owners() {
        return folder().stream()
                .flatMap(folder -> ControlFile.names(folder, control.uid()).stream())
                .map(ProcessIdentity::parse)
                .flatMap(Optional::stream)
                .toList();
    }

    private List<Line> read(String name) {
        List<Line> lines = new ArrayList<>();
        folder().ifPresent(folder -> ControlFile.lines(folder, name, control.uid())
                .forEach(text -> Line.parse(text)
                        .ifPresentOrElse(
                                lines::add,
                                () -> Log.LOG.warn(
                                        "a line that is none of ours in the list of placeholders {}", name))));
        return lines;
    }

    /** Loaded when there is something to say: finding who logs means opening every jar of the class path. */
    private static final class Log {
        static final Logger LOG = LoggerFactory.getLogger(PlaceholderJournal.class);
    }
}
