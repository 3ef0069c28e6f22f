package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A tree to be made on a disk, and a policy over it. Prints as the shell commands and the policy file that make it again.
 *
 * @param directories relative paths, parents first; each holds a file {@code .mark}
 * @param files relative paths of files
 * @param links from a name to what it points at, relative to the base
 * @param grants policy keys with their paths
 */
public record DiskSample(
        List<String> directories,
        List<String> files,
        SortedMap<String, String> links,
        SortedMap<String, List<String>> grants) {
    /** Readable, and a program that does nothing. */
    private static final String CONTENT = "#!/usr/bin/true";

    private static final List<String> DIRECTORIES = List.of("a", "a/b", "a/b/c", "d", "d/e");
    private static final List<String> FILES = List.of("a/x", "a/b/x", "a/b/c/x", "d/x", "d/e/x", "x");
    private static final List<String> MISSING = List.of("a/none", "d/none/deep");
    private static final List<String> LINKS = List.of("a/l1", "d/l2");
    private static final List<String> KEYS =
            List.of("read_paths", "write_paths", "list_paths", "blocked_paths", "blocked_write_paths");

    /** What every name ends with: nothing, as often as not. */
    private static final List<String> ENDINGS = List.of("", "", "", "", " b", "'", "\"", "$b", "\\", "\n", ":,=");

    /** Samples of one tree with up to two links and up to two entries for each key; shrinks towards none. */
    public static Arbitrary<DiskSample> samples() {
        List<String> targets =
                Stream.of(DIRECTORIES, FILES).flatMap(List::stream).toList();
        List<String> all =
                Stream.of(targets, MISSING, LINKS).flatMap(List::stream).toList();
        Arbitrary<SortedMap<String, String>> links =
                Arbitraries.of(targets).list().ofMaxSize(2).map(DiskSample::links);
        Arbitrary<List<String>> few = Arbitraries.of(all).list().ofMaxSize(2).uniqueElements();
        Arbitrary<SortedMap<String, List<String>>> grants = Combinators.combine(few, few, few, few, few)
                .as((read, write, list, block, blockWrite) ->
                        grants(Arrays.asList(read, write, list, block, blockWrite)));
        return Combinators.combine(links, grants, Arbitraries.of(ENDINGS))
                .as((some, rules, ending) -> new DiskSample(DIRECTORIES, FILES, some, rules).ending(ending));
    }

    private static SortedMap<String, String> links(List<String> targets) {
        SortedMap<String, String> links = new TreeMap<>();
        for (int i = 0; i < targets.size(); i++) {
            links.put(LINKS.get(i), targets.get(i));
        }
        return links;
    }

    private static SortedMap<String, List<String>> grants(List<List<String>> chosen) {
        SortedMap<String, List<String>> grants = new TreeMap<>();
        for (int i = 0; i < KEYS.size(); i++) {
            if (!chosen.get(i).isEmpty()) {
                grants.put(KEYS.get(i), chosen.get(i));
            }
        }
        return grants;
    }

    /** The same with every name ending so. */
    private DiskSample ending(String ending) {
        SortedMap<String, String> renamed = new TreeMap<>();
        links.forEach((link, target) -> renamed.put(ending(link, ending), ending(target, ending)));
        SortedMap<String, List<String>> rules = new TreeMap<>();
        grants.forEach((key, paths) -> rules.put(key, all(paths, ending)));
        return new DiskSample(all(directories, ending), all(files, ending), renamed, rules);
    }

    private static List<String> all(List<String> paths, String ending) {
        return paths.stream().map(path -> ending(path, ending)).toList();
    }

    private static String ending(String path, String ending) {
        return path.replace("/", ending + "/") + ending;
    }

    /** Makes the tree in an empty folder. */
    public void make(Path base) throws IOException {
        for (String directory : directories) {
            Files.createDirectories(base.resolve(directory));
            Files.writeString(base.resolve(directory).resolve(".mark"), "mark");
        }
        for (String file : files) {
            Path made = Files.writeString(base.resolve(file), CONTENT + "\n");
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        for (Map.Entry<String, String> link : links.entrySet()) {
            Files.createSymbolicLink(base.resolve(link.getKey()), base.resolve(link.getValue()));
        }
    }

    /** The policy, with this base_dir; to be extended by what a backend needs beside. */
    public SandboxPolicy.Builder policy(Path base) {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(base))
                .readPaths(paths("read_paths"))
                .writePaths(paths("write_paths"))
                .listPaths(paths("list_paths"))
                .blockedPaths(paths("blocked_paths"))
                .blockedWritePaths(paths("blocked_write_paths"))
                .onMissing(OnMissing.SKIP);
    }

    private List<String> paths(String key) {
        return grants.getOrDefault(key, List.of());
    }

    /** A text as one word of a shell. */
    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    @Override
    public String toString() {
        String tree = directories.stream()
                        .map(d -> "mkdir -p " + quoted(d) + "; echo mark > " + quoted(d) + "/.mark; ")
                        .collect(Collectors.joining())
                + files.stream()
                        .map(f -> "echo '" + CONTENT + "' > " + quoted(f) + "; chmod +x " + quoted(f) + "; ")
                        .collect(Collectors.joining())
                + links.entrySet().stream()
                        .map(l -> "ln -s \"$PWD\"/" + quoted(l.getValue()) + " " + quoted(l.getKey()) + "; ")
                        .collect(Collectors.joining());
        String policy = grants.entrySet().stream()
                .map(g -> g.getKey() + ": " + g.getValue())
                .collect(Collectors.joining("\n"));
        return "\n" + tree + "\n" + policy + "\non_missing: skip\n";
    }
}
