package dev.sandbox.domain.path;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Follows symbolic links as the kernel does (path_resolution(7)), on a {@link FileSystemView}. Immutable, thread-safe.
 *
 * @param path where the links lead: no component of it is a link, as far as it exists
 * @param kind what stands there; {@code DENIED} when the account could not look that far, {@code SYMLINK} when links loop
 * @param steps the links followed, in order, each as {@code /link -> target}
 */
public record PathResolution(AbsolutePath path, EntryKind kind, List<String> steps) {
    /** As the kernel: after so many links, ELOOP. */
    private static final int MAX_LINKS = 40;

    /** Follows every link in the path, the last component's too. */
    public static PathResolution follow(AbsolutePath path, FileSystemView view) {
        Deque<String> pending = new ArrayDeque<>(path.components());
        List<String> steps = new ArrayList<>();
        AbsolutePath reached = AbsolutePath.ROOT;
        EntryKind kind = EntryKind.DIRECTORY;
        while (!pending.isEmpty()) {
            String name = pending.pop();
            if (name.equals("..")) {
                reached = reached.parent().orElse(AbsolutePath.ROOT);
                kind = EntryKind.DIRECTORY;
                continue;
            }
            AbsolutePath next = reached.resolve(name);
            kind = view.kind(next);
            if (kind == EntryKind.SYMLINK) {
                String target = view.linkTarget(next);
                steps.add(next + " -> " + target);
                if (steps.size() > MAX_LINKS) {
                    return new PathResolution(next, EntryKind.SYMLINK, Collections.unmodifiableList(steps));
                }
                reached = target.startsWith("/") ? AbsolutePath.ROOT : reached;
                pushAll(pending, target);
                kind = EntryKind.DIRECTORY;
                continue;
            }
            reached = next;
            if (kind != EntryKind.DIRECTORY) {
                return stopped(reached, kind, pending, steps);
            }
        }
        return new PathResolution(reached, kind, Collections.unmodifiableList(steps));
    }

    /** Nothing lies below what is not a directory: what remains is missing, or out of sight. */
    private static PathResolution stopped(
            AbsolutePath reached, EntryKind kind, Deque<String> pending, List<String> steps) {
        EntryKind end = (kind == EntryKind.DENIED || pending.isEmpty()) ? kind : EntryKind.MISSING;
        AbsolutePath path = reached;
        while (!pending.isEmpty()) {
            String name = pending.pop();
            path = name.equals("..") ? path.parent().orElse(AbsolutePath.ROOT) : path.resolve(name);
        }
        return new PathResolution(path, end, Collections.unmodifiableList(steps));
    }

    private static void pushAll(Deque<String> pending, String target) {
        List<String> names = Arrays.asList(target.split("/"));
        for (int i = names.size() - 1; i >= 0; i--) {
            if (!names.get(i).isEmpty() && !names.get(i).equals(".")) {
                pending.push(names.get(i));
            }
        }
    }
}
