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
 * @param kind what stands there; {@code DENIED} when the account could not look that far or the links lead too far about,
 *     {@code SYMLINK} when they loop
 * @param links the links followed, in order
 */
public record PathResolution(AbsolutePath path, EntryKind kind, List<FollowedLink> links) {
    /** As the kernel: after so many links, ELOOP. */
    private static final int MAX_LINKS = 40;
    /** Each costs a walk from the root. Links to links that somebody made for it lead past 80,000 names; nobody means such a path. */
    private static final int MAX_NAMES = 1000;

    /** The links followed, in order, each as {@code /link -> target}. */
    public List<String> steps() {
        return links.stream().map(FollowedLink::toString).toList();
    }

    /**
     * The names that the path has on the way from how it is written to what it means: one for each link, which is the link itself with
     * the rest of the path behind it, in the order in which they are met. A command that was told one of these names expects it to
     * work. Empty when no link is on the way.
     */
    public List<AbsolutePath> names() {
        return links.stream()
                .filter(link -> !link.rest().contains("..")) // such a name is no path that anybody was told
                .map(FollowedLink::name)
                .toList();
    }

    /**
     * The path that a written text names, without {@code ..}: each is looked up on the host, as the kernel does it, so that
     * {@code link/..} is the folder above the one that the link leads to. Links behind the last {@code ..} are not followed.
     *
     * @param from what a relative text is relative to; an absolute text stands for itself
     * @throws IllegalArgumentException when the text holds a NUL, or a {@code ..} behind what is no folder that can be looked up
     */
    public static AbsolutePath named(AbsolutePath from, String written, FileSystemView view) {
        AbsolutePath reached = written.startsWith("/") ? AbsolutePath.ROOT : from;
        for (String name : written.split("/", -1)) {
            reached = name.equals("..") ? above(reached, view) : reached.resolve(name);
        }
        return reached;
    }

    private static AbsolutePath above(AbsolutePath path, FileSystemView view) {
        PathResolution found = follow(path, view);
        String reason = switch (found.kind()) {
            case DIRECTORY -> "";
            case MISSING -> "does not exist";
            case DENIED -> "this account may not look at";
            case SYMLINK -> "is a loop of symbolic links";
            case FILE, SOCKET, FIFO, DEVICE -> "is not a directory";
        };
        if (!reason.isEmpty()) {
            throw new IllegalArgumentException(
                    "contains '..' behind " + path + ", which " + reason + "; write the path without it");
        }
        return found.path().parent().orElse(AbsolutePath.ROOT);
    }

    /** Follows every link in the path, the last component's too. */
    public static PathResolution follow(AbsolutePath path, FileSystemView view) {
        Deque<String> pending = new ArrayDeque<>(path.components());
        List<FollowedLink> links = new ArrayList<>();
        AbsolutePath reached = AbsolutePath.ROOT;
        EntryKind kind = EntryKind.DIRECTORY;
        EntryKind obstacle = EntryKind.DIRECTORY; // what stood in the way, if anything but a directory did
        int names = 0;
        while (!pending.isEmpty()) {
            String name = pending.pop();
            if (++names > MAX_NAMES) {
                return new PathResolution(reached, EntryKind.DENIED, Collections.unmodifiableList(links));
            }
            if (name.equals("..")) {
                reached = reached.parent().orElse(AbsolutePath.ROOT);
                kind = EntryKind.DIRECTORY;
                continue;
            }
            AbsolutePath next = reached.resolve(name);
            kind = view.kind(next);
            if (kind == EntryKind.SYMLINK) {
                String target = view.linkTarget(next);
                links.add(new FollowedLink(next, target, List.copyOf(pending)));
                if (links.size() > MAX_LINKS) {
                    return new PathResolution(next, EntryKind.SYMLINK, Collections.unmodifiableList(links));
                }
                reached = target.startsWith("/") ? AbsolutePath.ROOT : reached;
                pushAll(pending, target);
                kind = EntryKind.DIRECTORY;
                continue;
            }
            reached = next;
            if (obstacle == EntryKind.DIRECTORY && !pending.isEmpty()) {
                obstacle = below(kind);
            }
        }
        EntryKind end = obstacle == EntryKind.DIRECTORY ? kind : obstacle;
        return new PathResolution(reached, end, Collections.unmodifiableList(links));
    }

    /** Nothing lies below what is not a directory: it is missing, or out of sight; {@code ..} does not lead back from there. */
    private static EntryKind below(EntryKind kind) {
        return switch (kind) {
            case DIRECTORY, DENIED -> kind;
            case FILE, SYMLINK, SOCKET, FIFO, DEVICE, MISSING -> EntryKind.MISSING;
        };
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
