package dev.sandbox.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The folder of one account in which each sandbox that runs something has a file, among the {@link ControlFolder}'s records. A
 * file's name says whose it is, by {@link ProcessIdentity}, and which of that process's sandboxes.
 */
record LedgerFolder(ControlFolder control) {
    private static final String NAME = "running";

    /**
     * A file of one process that is alive.
     *
     * @param folder where
     * @param name its name
     * @param owner whose it is
     * @param number which of that process's sandboxes
     * @param uid the account that it belongs to
     */
    record Entry(Path folder, String name, ProcessIdentity owner, long number, int uid) {
        List<String> lines() {
            return ControlFile.lines(folder, name, uid);
        }
    }

    /** Those that this account may look into. */
    static List<LedgerFolder> readable() throws IOException {
        return ControlFolder.readable().stream().map(LedgerFolder::new).toList();
    }

    /** Makes it unless it is there. */
    Path make() throws IOException {
        Path folder = control.make().resolve(NAME);
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        return folder;
    }

    /** The files of processes that run; in one's own folder those of the dead are removed. */
    List<Entry> files() throws IOException {
        List<Entry> files = new ArrayList<>();
        Optional<Path> state = control.found();
        if (state.isEmpty()) {
            return files;
        }
        Path folder = state.get().resolve(NAME);
        for (String name : ControlFile.names(folder, control.uid())) {
            Optional<Entry> entry = entry(folder, name);
            if (entry.isEmpty()) {
                continue;
            }
            switch (entry.get().owner().state()) {
                case ALIVE -> files.add(entry.get());
                case GONE -> {
                    if (control.uid() == RawSyscalls.host().geteuid()) {
                        Files.deleteIfExists(folder.resolve(name));
                    }
                }
                case ELSEWHERE -> {}
            }
        }
        return files;
    }

    private Optional<Entry> entry(Path folder, String name) {
        int dot = name.lastIndexOf('.');
        if (dot < 0 || !name.substring(dot + 1).matches("[0-9]{1,18}")) {
            return Optional.empty();
        }
        long number = Long.parseLong(name.substring(dot + 1));
        return ProcessIdentity.parse(name.substring(0, dot))
                .map(owner -> new Entry(folder, name, owner, number, control.uid()));
    }

    /** The name of a file of this process. */
    static String ownName(long number) {
        return ProcessIdentity.self().text() + "." + number;
    }
}
