package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.PathResolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the caller's own tools by its PATH. Only folders of {@link ToolchainLayout#ALL} count, so an entry such as {@code /}, a whole
 * home or {@code /tmp} gives nothing, and neither does a folder that another account may have filled: the tool's folder must belong
 * to the caller or to root, and not be writable for all. No link inside it is followed to what is granted. Stateless.
 */
public final class ToolchainFinder {
    /** More versions than anybody has; a folder with more of them is not read to its end. */
    private static final int MOST_NAMES = 64;

    private static final int WRITABLE_FOR_ALL = 2;

    private static final Set<AbsolutePath> NO_ROOTS = Set.of(
            AbsolutePath.ROOT, AbsolutePath.of("/tmp"), AbsolutePath.of("/var/tmp"), AbsolutePath.of("/dev/shm"));

    private final Map<String, String> environment;
    private final FileSystemView files;

    /** Looks with the caller's environment, on its files. */
    public ToolchainFinder(Map<String, String> environment, FileSystemView files) {
        this.environment = Map.copyOf(environment);
        this.files = files;
    }

    /** The tools on PATH, in its order, each once. */
    public List<Toolchain> onPath() {
        List<Toolchain> found = new ArrayList<>();
        for (String written : environment.getOrDefault("PATH", "").split(":", -1)) {
            absolute(written).flatMap(this::owning).ifPresent(tool -> {
                if (!found.contains(tool)) {
                    found.add(tool);
                    along(tool).filter(other -> !found.contains(other)).ifPresent(found::add);
                }
            });
        }
        return found;
    }

    /** The tool that a folder of programs belongs to. */
    public Optional<Toolchain> owning(AbsolutePath folder) {
        PathResolution entry = PathResolution.follow(folder, files);
        if (entry.kind() != EntryKind.DIRECTORY) {
            return Optional.empty();
        }
        for (ToolchainLayout layout : ToolchainLayout.ALL) {
            for (AbsolutePath root : roots(layout)) {
                for (String pattern : layout.entries()) {
                    Optional<List<String>> names = match(pattern, root, entry.path());
                    if (names.isPresent()) {
                        return Optional.of(toolchain(layout, root, Optional.of(entry.path()), names.get()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Toolchain> along(Toolchain tool) {
        for (ToolchainLayout layout : ToolchainLayout.ALL) {
            if (layout.tool().equals(tool.tool()) && !layout.comesAlong().isEmpty()) {
                return ToolchainLayout.ALL.stream()
                        .filter(other -> other.tool().equals(layout.comesAlong()))
                        .flatMap(other ->
                                roots(other).stream().map(root -> toolchain(other, root, Optional.empty(), List.of())))
                        .findFirst();
            }
        }
        return Optional.empty();
    }

    private Toolchain toolchain(
            ToolchainLayout layout, AbsolutePath root, Optional<AbsolutePath> entry, List<String> names) {
        TreeMap<AbsolutePath, EntryKind> grants = new TreeMap<>();
        for (String grant : layout.grants()) {
            expand(root, List.of(grant.split("/")), names, grants);
        }
        Map<String, String> variables = layout.handedOn() ? Map.of(layout.variable(), root.toString()) : Map.of();
        return new Toolchain(layout.tool(), root, entry, grants, variables);
    }

    /** Adds what stands there; each name is a folder or file itself, never a link. */
    private void expand(
            AbsolutePath from, List<String> pattern, List<String> names, Map<AbsolutePath, EntryKind> found) {
        EntryKind kind = files.kind(from);
        if (pattern.isEmpty()) {
            if (kind == EntryKind.DIRECTORY || kind == EntryKind.FILE) {
                found.put(from, kind);
            }
            return;
        }
        if (kind != EntryKind.DIRECTORY) {
            return;
        }
        List<String> rest = pattern.subList(1, pattern.size());
        switch (pattern.get(0)) {
            case "*" -> expand(from.resolve(names.get(0)), rest, names.subList(1, names.size()), found);
            case "+" ->
                files.details().names(from, MOST_NAMES).forEach(name -> expand(from.resolve(name), rest, names, found));
            default -> expand(from.resolve(pattern.get(0)), rest, names, found);
        }
    }

    /** The names that stand for {@code *}, when the path is what the pattern means below the root. */
    private static Optional<List<String>> match(String pattern, AbsolutePath root, AbsolutePath path) {
        if (!root.strictlyContains(path)) {
            return Optional.empty();
        }
        List<String> wanted = List.of(pattern.split("/"));
        List<String> below = path.components()
                .subList(root.components().size(), path.components().size());
        List<String> names = new ArrayList<>();
        for (int i = 0; i < wanted.size() && wanted.size() == below.size(); i++) {
            if (wanted.get(i).equals("*")) {
                names.add(below.get(i));
            } else if (!wanted.get(i).equals(below.get(i))) {
                return Optional.empty();
            }
        }
        return wanted.size() == below.size() ? Optional.of(names) : Optional.empty();
    }

    private List<AbsolutePath> roots(ToolchainLayout layout) {
        List<AbsolutePath> found = new ArrayList<>();
        Optional<AbsolutePath> home = home();
        absolute(environment.getOrDefault(layout.variable(), ""))
                .flatMap(this::itself)
                .ifPresent(found::add);
        for (String written : layout.roots()) {
            if (written.startsWith("/")) {
                itself(AbsolutePath.of(written)).ifPresent(found::add);
            } else {
                home.flatMap(above -> itself(above.resolve(written)).filter(above::strictlyContains))
                        .ifPresent(found::add);
            }
        }
        found.removeIf(root -> NO_ROOTS.contains(root)
                || home.filter(root::contains).isPresent()
                || !files.details().isCallersOrRoots(root, WRITABLE_FOR_ALL));
        return found;
    }

    /** The canonical path of a folder that is no link: a link in its place leads to what somebody else chose. */
    private Optional<AbsolutePath> itself(AbsolutePath path) {
        if (path.parent().isEmpty()) {
            return Optional.empty();
        }
        AbsolutePath real =
                PathResolution.follow(path.parent().get(), files).path().resolve(path.name());
        return files.kind(real) == EntryKind.DIRECTORY ? Optional.of(real) : Optional.empty();
    }

    private Optional<AbsolutePath> home() {
        return absolute(environment.getOrDefault("HOME", ""))
                .map(home -> PathResolution.follow(home, files))
                .filter(home -> home.kind() == EntryKind.DIRECTORY)
                .map(PathResolution::path);
    }

    private static Optional<AbsolutePath> absolute(String written) {
        try {
            return Optional.of(AbsolutePath.of(written));
        } catch (IllegalArgumentException blankOrRelative) {
            return Optional.empty();
        }
    }
}
