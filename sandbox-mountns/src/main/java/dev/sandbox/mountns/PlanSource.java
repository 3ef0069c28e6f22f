package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.linux.ClosedFolders;
import dev.sandbox.linux.FileStamps;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;
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
    private final LinuxSyscalls host;
    private final Below below;
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

    PlanSource(FileSystemView files, HostPlaceholders placeholders, LinuxSyscalls host, Below below) {
        this.files = files;
        this.placeholders = placeholders;
        this.host = host;
        this.below = below;
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
                new FileStamps(wanted.stream().map(AbsolutePath::toString).toList(), host.raw());
        asked.remember();
        Recorded view = new Recorded(standing, new ClosedFolders(host, policy.runAs()));
        MountPlan plan = MountPlanner.plan(policy, view, view, view, below);
        close();
        if (!view.passing && view.asked.equals(wanted)) {
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
    private final class Recorded implements FileSystemView, DirectoryNames, ClosedFolder {
        private final Set<AbsolutePath> hidden;
        private final Set<AbsolutePath> asked = new TreeSet<>();
        private final ClosedFolders folders;
        /** Whether it looked at what no look at a path tells: a folder's content, or its mode. */
        private boolean passing;

        Recorded(Set<AbsolutePath> hidden, ClosedFolders folders) {
            this.hidden = hidden;
            this.folders = folders;
        }

        @Override
        public boolean test(AbsolutePath folder) {
            boolean closed = folders.isClosed(folder);
            passing |= closed;
            return closed;
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
            passing = true;
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
