package dev.sandbox.mountns;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The programs that the script starts, by absolute paths of the system's own directories: never through anybody's PATH. */
final class Tools {
    private static final List<String> DIRECTORIES = List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin");
    private static final List<String> NEEDED =
            List.of("unshare", "nsenter", "mount", "umount", "pivot_root", "setpriv", "setsid", "sh");
    private static final List<String> USEFUL = List.of("hostname", "ip");

    private final Map<String, String> paths = new HashMap<>();

    private Tools() {}

    /**
     * Those of this host.
     *
     * @throws SandboxUnavailableException naming the one that is missing
     */
    static Tools find() {
        Tools tools = new Tools();
        for (String name : NEEDED) {
            String path = path(name)
                    .orElseThrow(() -> new SandboxUnavailableException(
                            "mountns",
                            "the program " + name + " is in none of " + String.join(", ", DIRECTORIES),
                            "install util-linux, or use another backend"));
            tools.paths.put(name, path);
        }
        USEFUL.forEach(name -> path(name).ifPresent(path -> tools.paths.put(name, path)));
        return tools;
    }

    private static Optional<String> path(String name) {
        return DIRECTORIES.stream()
                .map(directory -> directory + "/" + name)
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst();
    }

    String get(String name) {
        return optional(name).orElseThrow(() -> new IllegalArgumentException(name));
    }

    Optional<String> optional(String name) {
        return Optional.ofNullable(paths.get(name));
    }
}
