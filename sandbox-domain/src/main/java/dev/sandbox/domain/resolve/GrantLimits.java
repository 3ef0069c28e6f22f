package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.Problem;
import java.util.List;
import java.util.Optional;

/** Places that no grant may name: the whole file system, the pseudo file systems, and for writing the system's own directories. */
final class GrantLimits {
    private static final List<AbsolutePath> PSEUDO = paths("/proc", "/sys", "/dev");
    private static final AbsolutePath SHARED_MEMORY = AbsolutePath.of("/dev/shm");
    private static final List<AbsolutePath> SYSTEM = paths(
            "/bin",
            "/sbin",
            "/lib",
            "/lib32",
            "/lib64",
            "/libx32",
            "/usr",
            "/usr/bin",
            "/usr/sbin",
            "/usr/lib",
            "/usr/lib32",
            "/usr/lib64",
            "/usr/libexec",
            "/usr/share",
            "/usr/local",
            "/usr/local/bin",
            "/usr/local/sbin",
            "/usr/local/lib",
            "/etc",
            "/boot");

    private GrantLimits() {}

    static Optional<Problem> refusal(RuleSource source, AbsolutePath path, Access access, Host host) {
        if (path.equals(AbsolutePath.ROOT)) {
            return Optional.of(problem(
                    source, "is the whole file system, which is never a grant", "name the folders that are needed"));
        }
        if (PSEUDO.stream().anyMatch(pseudo -> pseudo.contains(path)) && !SHARED_MEMORY.contains(path)) {
            return Optional.of(problem(
                    source, "lies on a pseudo file system (" + path + ")", "use the policy's proc key, or remove it"));
        }
        boolean system = SYSTEM.stream()
                .anyMatch(dir -> dir.equals(path) || host.follow(dir).path().equals(path));
        if (access == Access.WRITE && system) {
            return Optional.of(problem(
                    source,
                    "is a system directory (" + path + "), which is never writable",
                    "grant a folder of your own"));
        }
        return Optional.empty();
    }

    private static Problem problem(RuleSource source, String what, String fix) {
        return new Problem(source.where(), "\"" + source.written() + "\" " + what, fix);
    }

    private static List<AbsolutePath> paths(String... texts) {
        return List.of(texts).stream().map(AbsolutePath::of).toList();
    }
}
