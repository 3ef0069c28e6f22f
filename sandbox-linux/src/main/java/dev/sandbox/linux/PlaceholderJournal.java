package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Which JVM has which placeholders, in one small folder per user: a file for each JVM, named by its process id and start time, so
 * that what a killed one left is found by the next. The folder goes when nobody has anything.
 */
final class PlaceholderJournal {
    /**
     * One placeholder of one JVM.
     *
     * @param placeholder what
     * @param identity device and inode; empty while it is being made
     */
    record Line(HostPlaceholder placeholder, String identity) {
        String text() {
            return placeholder.kind().id() + " "
                    + OctalText.escape(placeholder.path().toString()) + " " + identity;
        }

        static Line parse(String text) {
            String[] fields = text.split(" ", 3);
            EntryKind kind = fields[0].equals(EntryKind.DIRECTORY.id()) ? EntryKind.DIRECTORY : EntryKind.FILE;
            AbsolutePath path = AbsolutePath.of(OctalText.unescape(fields[1]));
            return new Line(new HostPlaceholder(path, kind), fields[2]);
        }
    }

    private static final String LOCK = "lock";

    private final Path folder;
    private final int uid;
    private final String self;

    PlaceholderJournal(Path folder, int uid) {
        this.folder = folder;
        this.uid = uid;
        this.self = owner(ProcessHandle.current().pid());
    }

    boolean exists() {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    /** Runs alone among all JVMs of this user; the caller sees to its own threads. */
    <T> T locked(Callable<T> action) {
        try {
            while (true) {
                makeFolder();
                Path lock = folder.resolve(LOCK);
                try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock held = channel.lock()) {
                    if (!held.isValid() || !isCurrent(lock)) {
                        continue;
                    }
                    T result = action.call();
                    removeIfUnused();
                    return result;
                } catch (NoSuchFileException removedMeanwhile) {
                    // Its last user has taken the folder away: once more.
                }
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SandboxUnavailableException(
                    "placeholders",
                    "cannot keep the list of placeholders in " + folder + ": " + e,
                    "make it writable",
                    e);
        }
    }

    /** Somebody else may have removed the folder between our open and our lock; the lock is then on nothing. */
    private static boolean isCurrent(Path lock) {
        return Files.exists(lock, LinkOption.NOFOLLOW_LINKS);
    }

    private void makeFolder() throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException madeMeanwhile) {
                // Looked at below, like one that was there before.
            }
        }
        BasicFileAttributes attributes =
                Files.readAttributes(folder, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Object owner = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory() || !owner.equals(uid)) {
            throw new SandboxUnavailableException(
                    "placeholders", folder + " belongs to somebody else", "remove it; it is made again when needed");
        }
    }

    List<Line> mine() throws IOException {
        return read(folder.resolve(self));
    }

    void write(List<Line> lines) throws IOException {
        Path file = folder.resolve(self);
        if (lines.isEmpty()) {
            Files.deleteIfExists(file);
        } else {
            Files.write(file, lines.stream().map(Line::text).toList(), StandardCharsets.US_ASCII);
        }
    }

    /** What other JVMs that still run have. */
    List<Line> others() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (Path file : owners()) {
            if (!name(file).equals(self) && isAlive(name(file))) {
                lines.addAll(read(file));
            }
        }
        return lines;
    }

    /** What JVMs that no longer run have left; forgotten when this returns. */
    List<Line> takeAbandoned() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (Path file : owners()) {
            if (!isAlive(name(file))) {
                lines.addAll(read(file));
                Files.deleteIfExists(file);
            }
        }
        return lines;
    }

    private List<Path> owners() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[0-9]*-[0-9]*")) {
            entries.forEach(files::add);
        }
        return files;
    }

    private void removeIfUnused() throws IOException {
        if (owners().isEmpty()) {
            Files.deleteIfExists(folder.resolve(LOCK));
            Files.deleteIfExists(folder);
        }
    }

    private static List<Line> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        return Files.readAllLines(file, StandardCharsets.US_ASCII).stream()
                .filter(line -> line.split(" ", 3).length == 3)
                .map(Line::parse)
                .toList();
    }

    private static boolean isAlive(String owner) {
        return owner.equals(owner(Long.parseLong(owner.substring(0, owner.indexOf('-')))));
    }

    /** Process id and start time, in ticks since boot: together they name one process. */
    private static String owner(long pid) {
        try {
            String line = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return pid + "-" + fields[19];
        } catch (IOException | RuntimeException gone) {
            return "";
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
