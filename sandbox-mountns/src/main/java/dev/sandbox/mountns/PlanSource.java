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
import java.util.function.BooleanSupplier;

/** Plans against this host as it is now; a placeholder of another run counts as what it stands for, nothing. */
final class PlanSource {
    private final FileSystemView files;
    private final HostPlaceholders placeholders;
    private final BooleanSupplier bySystemCalls;

    /** @param bySystemCalls whether plans are carried out without tools, which would be under the filter with the step */
    PlanSource(FileSystemView files, HostPlaceholders placeholders, BooleanSupplier bySystemCalls) {
        this.files = files;
        this.placeholders = placeholders;
        this.bySystemCalls = bySystemCalls;
    }

    MountPlan plan(ResolvedPolicy policy) {
        boolean blocks = policy.rules().stream().anyMatch(rule -> rule.access().isBlock());
        Set<AbsolutePath> standing = blocks ? placeholders.standing() : Set.of();
        MountPlan plan = MountPlanner.plan(policy, standing.isEmpty() ? files : without(standing), PlanSource::names);
        return bySystemCalls.getAsBoolean() ? plan : plan.allowingUserNamespaces();
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
