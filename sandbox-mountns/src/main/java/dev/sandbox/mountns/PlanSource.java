package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.linux.FileStamps;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.RawSyscalls;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Plans against this host as it is now; a placeholder of another run counts as what it stands for, nothing. The last plan is kept as long
 * as another look at all that it was made of gives the same. One session's; thread-safe.
 */
final class PlanSource implements AutoCloseable {
    private final FileSystemView files;
    private final HostPlaceholders placeholders;
    private final RawSyscalls syscalls;
    /** What the last plan was made of. */
    private Set<AbsolutePath> wanted = Set.of();

    private @Nullable Kept kept;

    /**
     * A plan and what it was made of.
     *
     * @param policy whose
     * @param plan itself
     * @param standing the placeholders that stood
     * @param asked what was looked at
     */
    private record Kept(ResolvedPolicy policy, MountPlan plan, Set<AbsolutePath> standing, FileStamps asked) {}

    PlanSource(FileSystemView files, HostPlaceholders placeholders, RawSyscalls syscalls) {
        this.files = files;
        this.placeholders = placeholders;
        this.syscalls = syscalls;
    }

    synchronized MountPlan plan(ResolvedPolicy policy) {
        boolean blocks = policy.rules().stream().anyMatch(rule -> rule.access().isBlock());
        Set<AbsolutePath> standing = blocks ? placeholders.standing() : Set.of();
        Kept last = kept;
        boolean same = last != null
                && last.policy().equals(policy)
                && last.standing().equals(standing)
                && last.asked().unchanged();
        if (last != null && same) {
            return last.plan();
        }
        return make(policy, standing);
    }

    /** Kept from the second time on: then what it is made of is known, and looked at before. */
    private MountPlan make(ResolvedPolicy policy, Set<AbsolutePath> standing) {
        FileStamps asked =
                new FileStamps(wanted.stream().map(AbsolutePath::toString).toList(), syscalls);
        asked.remember();
        Recorded view = new Recorded(standing);
        MountPlan plan = MountPlanner.plan(policy, view, view);
        close();
        if (!view.listed && view.asked.equals(wanted)) {
            kept = new Kept(policy, plan, standing, asked);
        } else {
            asked.close();
            wanted = view.asked;
        }
        return plan;
    }

    @Override
    public synchronized void close() {
        Kept last = kept;
        kept = null;
        if (last != null) {
            last.asked().close();
        }
    }

    /** Remembers what the planner looks at. */
    private final class Recorded implements FileSystemView, DirectoryNames {
        private final Set<AbsolutePath> hidden;
        private final Set<AbsolutePath> asked = new TreeSet<>();
        /** Whether it listed a folder, whose content no look at a path tells. */
        private boolean listed;

        Recorded(Set<AbsolutePath> hidden) {
            this.hidden = hidden;
        }

        @Override
        public EntryKind kind(AbsolutePath path) {
            asked.add(path);
            return hidden.contains(path) ? EntryKind.MISSING : files.kind(path);
        }

        @Override
        public String linkTarget(AbsolutePath link) {
            asked.add(link);
            return files.linkTarget(link);
        }

        @Override
        public List<String> names(AbsolutePath directory) {
            listed = true;
            return listing(directory);
        }
    }

    private static List<String> listing(AbsolutePath directory) {
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
