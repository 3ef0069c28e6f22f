package dev.sandbox.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The folder of one account in which each sandbox that runs something has a file: {@code /tmp/.sandbox-running-UID}, for that account's
 * eyes only. A file's name says whose it is: process id, start time, and PID namespace, since a container may share the folder; then a
 * number, since a process may have several sandboxes.
 */
record LedgerFolder(Path path) {
    private static final Path PARENT = Path.of("/tmp");
    private static final String PREFIX = ".sandbox-running-";

    static LedgerFolder of(int uid) {
        return new LedgerFolder(PARENT.resolve(PREFIX + uid));
    }

    /** Those that this account may look into. */
    static List<LedgerFolder> readable() throws IOException {
        int uid = RawSyscalls.host().geteuid();
        if (uid != 0) {
            return List.of(of(uid));
        }
        List<LedgerFolder> all = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PARENT, PREFIX + "[0-9]*")) {
            entries.forEach(entry -> all.add(new LedgerFolder(entry)));
        }
        return all;
    }

    /** True when it is there and belongs to the account that its name says. */
    boolean isTrustworthy() {
        try {
            Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                    && String.valueOf(path.getFileName()).equals(PREFIX + owner);
        } catch (IOException missing) {
            return false;
        }
    }

    /** Makes it unless it is there. */
    void make() throws IOException {
        if (isTrustworthy()) {
            return;
        }
        try {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            // Another process of this account may have made it in between.
            if (!isTrustworthy()) {
                throw new IOException(path + " belongs to somebody else", e);
            }
        }
    }

    /** The files of processes that run; those of the dead are removed, and so is an empty folder. */
    List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        if (!isTrustworthy()) {
            return files;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path, "[0-9]*-[0-9]*-[0-9]*-[0-9]*")) {
            for (Path file : entries) {
                String name = String.valueOf(file.getFileName());
                String owner = name.substring(0, name.lastIndexOf('-'));
                if (owner.equals(owner(ownerOf(file)).orElse(""))) {
                    files.add(file);
                } else if (owner.endsWith("-" + pidNamespace())) {
                    Files.deleteIfExists(file);
                }
            }
        }
        return files;
    }

    /** The process id in a file's name. */
    static long ownerOf(Path file) {
        String name = String.valueOf(file.getFileName());
        return number(name.substring(0, name.indexOf('-')));
    }

    /** Which of that process's files it is. */
    static long numberOf(Path file) {
        String name = String.valueOf(file.getFileName());
        return number(name.substring(name.lastIndexOf('-') + 1));
    }

    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** A file for this process. */
    Path ownFile(long number) throws IOException {
        String owner = owner(ProcessHandle.current().pid()).orElseThrow(() -> new IOException("there is no /proc"));
        return path.resolve(owner + "-" + number);
    }

    /** What names a process that runs, here and now. */
    private static Optional<String> owner(long pid) {
        try (ProcessTable table = new ProcessTable()) {
            return table.entry((int) pid).map(entry -> pid + "-" + entry.startTime() + "-" + pidNamespace());
        } catch (SyscallException noProc) {
            return Optional.empty();
        }
    }

    /** The number in {@code pid:[4026531836]}. */
    private static String pidNamespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("[^0-9]", "");
        } catch (IOException e) {
            return "0";
        }
    }

    /** Whole lines of a file; a last one without an end is still being written. */
    static List<String> lines(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }
}
