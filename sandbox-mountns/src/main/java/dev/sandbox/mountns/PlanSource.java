package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.linux.HostPlaceholders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Plans against this host as it is now; a placeholder of another run counts as what it stands for, nothing. */
final class PlanSource {
    private final FileSystemView files;
    private final HostPlaceholders placeholders;

    PlanSource(FileSystemView files, HostPlaceholders placeholders) {
        this.files = files;
        this.placeholders = placeholders;
    }

    MountPlan plan(ResolvedPolicy policy) {
        boolean blocks = policy.rules().stream().anyMatch(rule -> rule.access().isBlock());
        Set<AbsolutePath> standing = blocks ? placeholders.standing() : Set.of();
        return MountPlanner.plan(policy, standing.isEmpty() ? files : without(standing), PlanSource::names);
    }

    private FileSystemView without(Set<AbsolutePath> hidden) {
        return new FileSystemView() {
            @Override
            public EntryKind kind(AbsolutePath path) {
                return hidden.contains(path) ? EntryKind.MISSING : files.kind(path);
            }

            @Override
            public String linkTarget(AbsolutePath link) {
                return files.linkTarget(link);
            }
        };
    }

    private static List<String> names(AbsolutePath directory) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(directory.toString()))) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        } catch (IOException e) {
            return List.of();
        }
        Collections.sort(names);
        return names;
    }
}
