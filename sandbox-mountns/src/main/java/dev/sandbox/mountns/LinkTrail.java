package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The symbolic links on the way from a path as written to what it means. They are made again inside, so that a command finds
 * {@code /bin/sh} and its own spelling of a granted path.
 */
final class LinkTrail {
    private static final int MAX_LINKS = 40;

    private LinkTrail() {}

    /** Adds each link that the path goes through: where it stands, links before it followed, and its text. */
    static void collect(AbsolutePath written, FileSystemView view, Map<AbsolutePath, String> links) {
        Deque<String> pending = new ArrayDeque<>(written.components());
        AbsolutePath reached = AbsolutePath.ROOT;
        int followed = 0;
        while (!pending.isEmpty() && followed <= MAX_LINKS) {
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
            String text = view.linkTarget(next);
            links.put(next, text);
            followed++;
            reached = text.startsWith("/") ? AbsolutePath.ROOT : reached;
            List<String> names = Arrays.asList(text.split("/"));
            for (int i = names.size() - 1; i >= 0; i--) {
                if (!names.get(i).isEmpty() && !names.get(i).equals(".")) {
                    pending.push(names.get(i));
                }
            }
        }
    }
}
