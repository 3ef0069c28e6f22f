package dev.sandbox.app;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * A tree and a policy over it. Prints as the shell commands and the policy file that make it again.
 *
 * @param directories relative paths, parents first; each holds a file {@code .mark}
 * @param files relative paths of files
 * @param links from a name to what it points at, relative to the base
 * @param grants policy keys with their paths
 */
record Sample(
        List<String> directories,
        List<String> files,
        SortedMap<String, String> links,
        SortedMap<String, List<String>> grants) {
    void make(Path base) throws IOException {
        for (String directory : directories) {
            Files.createDirectories(base.resolve(directory));
            Files.writeString(base.resolve(directory).resolve(".mark"), "mark");
        }
        for (String file : files) {
            Files.writeString(base.resolve(file), "content");
        }
        for (Map.Entry<String, String> link : links.entrySet()) {
            Files.createSymbolicLink(base.resolve(link.getKey()), base.resolve(link.getValue()));
        }
    }

    SandboxPolicy policy(Path base) {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(base.toString()))
                .readPaths(paths("read_paths"))
                .writePaths(paths("write_paths"))
                .listPaths(paths("list_paths"))
                .blockedPaths(paths("blocked_paths"))
                .blockedWritePaths(paths("blocked_write_paths"))
                .onMissing(OnMissing.SKIP)
                .build();
    }

    private List<String> paths(String key) {
        return grants.getOrDefault(key, List.of());
    }

    @Override
    public String toString() {
        String tree = directories.stream()
                        .map(d -> "mkdir -p " + d + "; echo mark > " + d + "/.mark; ")
                        .collect(Collectors.joining())
                + files.stream().map(f -> "echo content > " + f + "; ").collect(Collectors.joining())
                + links.entrySet().stream()
                        .map(l -> "ln -s $PWD/" + l.getValue() + " " + l.getKey() + "; ")
                        .collect(Collectors.joining());
        String policy = grants.entrySet().stream()
                .map(g -> g.getKey() + ": " + g.getValue())
                .collect(Collectors.joining("\n"));
        return "\n" + tree + "\n" + policy + "\non_missing: skip\n";
    }
}
