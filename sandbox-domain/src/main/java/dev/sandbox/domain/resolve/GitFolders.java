package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.PathResolution;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where git keeps hooks and settings for a working tree: its {@code .git}, or what that file points to, for worktrees and submodules;
 * what is common to the worktrees; and the folders of its submodules.
 *
 * @see <a href="https://git-scm.com/docs/gitrepository-layout">gitrepository-layout(5)</a>
 */
final class GitFolders {
    private static final String POINTER = "gitdir:";
    private static final int MOST_MODULES = 50;
    /** A submodule may be named with slashes. */
    private static final int DEEPEST_MODULE = 3;

    private final Host host;

    GitFolders(Host host) {
        this.host = host;
    }

    /** Those of a working tree, canonical; none when it is no repository. */
    Set<AbsolutePath> of(AbsolutePath tree) {
        AbsolutePath dotGit = tree.resolve(".git");
        Set<AbsolutePath> found = new LinkedHashSet<>();
        switch (host.files().kind(dotGit)) {
            case DIRECTORY -> add(dotGit, found);
            case FILE -> pointedTo(dotGit, POINTER, tree).ifPresent(folder -> add(folder, found));
            case SYMLINK -> folder(dotGit).ifPresent(folder -> add(folder, found));
            case SOCKET, FIFO, DEVICE, MISSING, DENIED -> {}
        }
        return found;
    }

    private void add(AbsolutePath folder, Set<AbsolutePath> found) {
        found.add(folder);
        pointedTo(folder.resolve("commondir"), "", folder).ifPresent(found::add);
        modules(folder.resolve("modules"), DEEPEST_MODULE, found);
    }

    private void modules(AbsolutePath folder, int depth, Set<AbsolutePath> found) {
        if (depth == 0 || host.files().kind(folder) != EntryKind.DIRECTORY) {
            return;
        }
        for (String name : host.files().details().names(folder, MOST_MODULES)) {
            AbsolutePath module = folder.resolve(name);
            if (host.files().kind(module.resolve("HEAD")) == EntryKind.FILE) {
                found.add(module);
            } else {
                modules(module, depth - 1, found);
            }
        }
    }

    /** A file of one line that names a folder, relative to another. */
    private Optional<AbsolutePath> pointedTo(AbsolutePath file, String prefix, AbsolutePath from) {
        return host.files()
                .details()
                .text(file)
                .filter(text -> text.startsWith(prefix))
                .flatMap(text -> joined(from, text.substring(prefix.length()).strip()))
                .flatMap(this::folder);
    }

    private Optional<AbsolutePath> folder(AbsolutePath path) {
        PathResolution found = host.follow(path);
        return found.kind() == EntryKind.DIRECTORY ? Optional.of(found.path()) : Optional.empty();
    }

    private static Optional<AbsolutePath> joined(AbsolutePath from, String text) {
        List<String> names = new ArrayList<>(text.startsWith("/") ? List.of() : from.components());
        for (String name : text.split("/", -1)) {
            if (name.indexOf('\0') >= 0) {
                return Optional.empty();
            }
            if (!name.equals("..")) {
                names.add(name);
            } else if (!names.isEmpty()) {
                names.remove(names.size() - 1);
            }
        }
        return Optional.of(AbsolutePath.of("/" + String.join("/", names)));
    }
}
