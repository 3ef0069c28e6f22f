package dev.sandbox.domain.path;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * The names that a path has on the way from how it is written to what it means: one for each symbolic link that is followed, which is
 * the link itself with the rest of the path behind it. A command that was told one of these names expects it to work.
 */
public final class PathNames {
    /** As the kernel: after so many links, ELOOP. */
    private static final int MAX_LINKS = 40;

    private PathNames() {}

    /** The names in the order in which they are met, without the one that has no links; empty when no link is on the way. */
    public static List<AbsolutePath> of(AbsolutePath written, FileSystemView view) {
        Deque<String> pending = new ArrayDeque<>(written.components());
        List<AbsolutePath> names = new ArrayList<>();
        AbsolutePath reached = AbsolutePath.ROOT;
        int followed = 0;
        while (!pending.isEmpty() && followed < MAX_LINKS) {
            String name = pending.pop();
            if (name.equals("..")) {
                reached = reached.parent().orElse(AbsolutePath.ROOT);
                continue;
            }
            AbsolutePath next = reached.resolve(name);
            if (view.kind(next) != EntryKind.SYMLINK) {
                reached = next;
                continue;
            }
            if (!pending.contains("..")) { // such a name is no path that anybody was told
                names.add(below(next, pending));
            }
            followed++;
            String target = view.linkTarget(next);
            reached = target.startsWith("/") ? AbsolutePath.ROOT : reached;
            push(pending, target);
        }
        return Collections.unmodifiableList(names);
    }

    private static AbsolutePath below(AbsolutePath link, Deque<String> rest) {
        return rest.isEmpty() ? link : link.resolve(String.join("/", rest));
    }

    private static void push(Deque<String> pending, String target) {
        List<String> names = Arrays.asList(target.split("/"));
        for (int i = names.size() - 1; i >= 0; i--) {
            if (!names.get(i).isEmpty() && !names.get(i).equals(".")) {
                pending.push(names.get(i));
            }
        }
    }
}
