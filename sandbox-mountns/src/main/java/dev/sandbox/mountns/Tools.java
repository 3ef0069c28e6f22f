package dev.sandbox.mountns;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The programs that the script starts, by absolute paths of the system's own directories: never through anybody's PATH. */
final class Tools {
    private static final List<String> DIRECTORIES = List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin");
    static final List<String> NEEDED =
            List.of("unshare", "nsenter", "mount", "umount", "pivot_root", "setpriv", "setsid", "sh");
    private static final List<String> USEFUL = List.of("hostname", "ip");

    private static final List<String> UNSHARE = List.of(
            "--user",
            "--map-current-user",
            "--keep-caps",
            "--mount",
            "--propagation",
            "private",
            "--pid",
            "--fork",
            "--kill-child",
            "--ipc");

    private final Map<String, String> paths = new HashMap<>();

    private Tools() {}

    /**
     * Those of this host.
     *
     * @throws SandboxUnavailableException naming the one that is missing
     */
    static Tools find() {
        return find(DIRECTORIES);
    }

    /** As {@link #find()}, in other directories. */
    static Tools find(List<String> directories) {
        Tools tools = new Tools();
        for (String name : NEEDED) {
            String path = path(directories, name)
                    .orElseThrow(() -> new SandboxUnavailableException(
                            "mountns",
                            "the program " + name + " is in none of " + String.join(", ", directories),
                            "install util-linux, or use another backend"));
            tools.paths.put(name, path);
        }
        USEFUL.forEach(name -> path(directories, name).ifPresent(path -> tools.paths.put(name, path)));
        return tools;
    }

    private static Optional<String> path(List<String> directories, String name) {
        return directories.stream()
                .map(directory -> directory + "/" + name)
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst();
    }

    /** unshare(1) into a user namespace that keeps the user's number, and into those that every room and every step has of its own. */
    List<String> unshare(String... more) {
        List<String> arguments = new ArrayList<>(List.of(get("unshare")));
        arguments.addAll(UNSHARE);
        arguments.addAll(List.of(more));
        return arguments;
    }

    String get(String name) {
        return optional(name).orElseThrow(() -> new IllegalArgumentException(name));
    }

    Optional<String> optional(String name) {
        return Optional.ofNullable(paths.get(name));
    }
}
