package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.linux.ClosedFolders;
import java.util.Set;

/** Finds the missing blocked paths that need no placeholder, since the step can make nothing where they would be. */
final class ClosedBlocks {
    private final FileSystemView files;
    private final ClosedFolders folders;
    private final Set<AbsolutePath> standing;

    /** @param standing placeholders of other runs, which count as nothing */
    ClosedBlocks(FileSystemView files, ClosedFolders folders, Set<AbsolutePath> standing) {
        this.files = files;
        this.folders = folders;
        this.standing = standing;
    }

    /** Adds them to what the planner knows. */
    void addTo(ContainerSettings.Builder settings, ResolvedPolicy policy) {
        for (AccessRule rule : policy.rules()) {
            if (!rule.access().isBlock() || !isMissing(rule.path())) {
                continue;
            }
            AbsolutePath folder = rule.path();
            while (isMissing(folder)) {
                folder = folder.parent().orElse(AbsolutePath.ROOT);
            }
            if (files.kind(folder) == EntryKind.DIRECTORY && folders.isClosed(folder)) {
                settings.putClosed(rule.path(), folder);
                if (folders.isReadOnly(folder)) {
                    settings.addReadOnly(folder);
                }
            }
        }
    }

    private boolean isMissing(AbsolutePath path) {
        return standing.contains(path) || files.kind(path) == EntryKind.MISSING;
    }
}
