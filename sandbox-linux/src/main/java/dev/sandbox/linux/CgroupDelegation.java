package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether this process may make cgroups of version 2 below its own. Root may; another account may where it was delegated one, as by
 * {@code Delegate=yes} in a systemd unit.
 *
 * @param own the folder of this process's own cgroup; absent where that hierarchy is not mounted
 * @param mounts every place where a hierarchy of version 2 can be reached
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html#delegation">Control Group v2, Delegation</a>
 */
public record CgroupDelegation(Optional<Path> own, List<AbsolutePath> mounts) {
    private static final String MEMBERSHIP = "0::";
    private static final String KILL = "cgroup.kill";
    private static final int ROOT = 3;
    private static final int POINT = 4;

    public CgroupDelegation {
        mounts = List.copyOf(mounts);
    }

    /** As it is now. */
    public static CgroupDelegation ofThisProcess() {
        try {
            return parse(lines("/proc/self/mountinfo"), lines("/proc/self/cgroup"));
        } catch (IOException e) {
            return new CgroupDelegation(Optional.empty(), List.of());
        }
    }

    private static List<String> lines(String file) throws IOException {
        return Files.readAllLines(Path.of(file));
    }

    /** From proc_pid_mountinfo(5) and proc_pid_cgroup(5). */
    static CgroupDelegation parse(List<String> mountinfo, List<String> memberships) {
        Optional<String> member = memberships.stream()
                .filter(line -> line.startsWith(MEMBERSHIP))
                .map(line -> line.substring(MEMBERSHIP.length()))
                .findFirst();
        Optional<Path> own = Optional.empty();
        List<AbsolutePath> mounts = new ArrayList<>();
        for (String line : mountinfo) {
            int optional = line.indexOf(" - ");
            if (optional < 0 || !line.startsWith("cgroup2 ", optional + 3)) {
                continue;
            }
            String[] fields = line.split(" ");
            String point = OctalText.unescape(fields[POINT]);
            mounts.add(AbsolutePath.of(point));
            Path root = Path.of(OctalText.unescape(fields[ROOT]));
            own = own.or(() -> member.map(Path::of)
                    .filter(path -> path.startsWith(root) && path.equals(path.normalize()))
                    .map(path -> Path.of(point).resolve(root.relativize(path)).normalize()));
        }
        return new CgroupDelegation(own, mounts);
    }

    /** Where cgroups of runs can be made that can be killed as one. Absent where they cannot. */
    public Optional<Path> usable() {
        return own.filter(folder -> Files.isWritable(folder)
                && Files.isWritable(folder.resolve("cgroup.procs"))
                && (Files.exists(folder.resolve(KILL)) || isRootThatCanBeKilledBelow(folder)));
    }

    /** cgroup.kill is there from Linux 5.14 on, but not at a hierarchy's root: so one is made to see. */
    private static boolean isRootThatCanBeKilledBelow(Path folder) {
        Path made = folder.resolve(RunCgroup.PREFIX + RunMarker.next());
        try {
            Files.createDirectory(made);
            boolean can = Files.isWritable(made.resolve(KILL));
            Files.delete(made);
            return can;
        } catch (IOException e) {
            return false;
        }
    }
}
