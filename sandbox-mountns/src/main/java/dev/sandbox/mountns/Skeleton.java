package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.AccessRule;
import java.util.Map;

/**
 * What a grant of names shows: the directories, the links, and for everything else an empty file that nobody may read. A picture
 * taken when the step starts: what appears later is not in it.
 */
final class Skeleton {
    static final int MOST_ENTRIES = 20_000;

    private final FileSystemView files;
    private final DirectoryNames directories;
    private final EffectiveGrants grants;
    private int entries;

    Skeleton(FileSystemView files, DirectoryNames directories, EffectiveGrants grants) {
        this.files = files;
        this.directories = directories;
        this.grants = grants;
    }

    /** Adds the tree of one rule. */
    void add(AccessRule rule, Map<AbsolutePath, EntryKind> placeholders, Map<AbsolutePath, String> links) {
        add(rule, rule.path(), files.kind(rule.path()), placeholders, links);
    }

    private void add(
            AccessRule rule,
            AbsolutePath path,
            EntryKind kind,
            Map<AbsolutePath, EntryKind> placeholders,
            Map<AbsolutePath, String> links) {
        if (++entries > MOST_ENTRIES) {
            throw new SandboxUnavailableException(
                    rule.source().where(),
                    "\"" + rule.source().written() + "\" holds more than " + MOST_ENTRIES + " entries to list",
                    "list a smaller folder, or add it to read_paths");
        }
        switch (kind) {
            case DIRECTORY -> {
                placeholders.put(path, kind);
                if (!grants.isBlocked(path)) {
                    directories.names(path).forEach(name -> {
                        AbsolutePath child = path.resolve(name);
                        add(rule, child, files.kind(child), placeholders, links);
                    });
                }
            }
            case SYMLINK -> links.put(path, files.linkTarget(path));
            case FILE, SOCKET, FIFO, DEVICE, DENIED -> placeholders.put(path, EntryKind.DENIED);
            case MISSING -> {}
        }
    }
}
