package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What every step may read and execute whatever its policy: programs, libraries, system settings, a narrow part of /proc and /sys,
 * and the harmless devices. Nothing under /run, /home, /root, /var, /opt, /srv, /tmp. Immutable.
 *
 * <p>The files of /etc stand here one by one as well, because a rule on /etc covers what lives under it, not what a link there
 * points at: where {@code /etc/resolv.conf} leads to {@code /run/systemd/resolve}, without its target no name resolves.
 */
public final class SystemBaseline {
    private static final List<String> READABLE = List.of(
            "/bin",
            "/sbin",
            "/usr",
            "/lib",
            "/lib32",
            "/lib64",
            "/libx32",
            "/etc",
            "/etc/resolv.conf",
            "/etc/hosts",
            "/etc/nsswitch.conf",
            "/etc/passwd",
            "/etc/group",
            "/etc/localtime",
            "/etc/ssl",
            "/etc/ca-certificates",
            "/etc/alternatives",
            "/etc/ld.so.cache",
            "/proc/cpuinfo",
            "/proc/meminfo",
            "/proc/stat",
            "/proc/loadavg",
            "/proc/uptime",
            "/proc/version",
            "/proc/filesystems",
            "/proc/sys/kernel/ngroups_max",
            "/proc/sys/kernel/cap_last_cap",
            "/proc/sys/kernel/osrelease",
            "/proc/sys/kernel/ostype",
            "/proc/sys/kernel/pid_max",
            "/proc/sys/kernel/random/uuid",
            "/proc/sys/kernel/random/boot_id",
            "/proc/sys/net/core/somaxconn",
            "/proc/sys/vm/overcommit_memory",
            "/proc/sys/vm/max_map_count",
            "/proc/sys/fs/pipe-max-size",
            "/proc/sys/fs/nr_open",
            "/sys/devices",
            "/sys/fs/cgroup");

    private static final List<String> DEVICES =
            List.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty");

    private final List<BaselineEntry> entries;

    private SystemBaseline(List<BaselineEntry> entries) {
        this.entries = Collections.unmodifiableList(entries);
    }

    /** The baseline of a Linux host (Filesystem Hierarchy Standard 3.0). */
    public static SystemBaseline standard() {
        List<BaselineEntry> entries = new ArrayList<>();
        READABLE.forEach(path -> entries.add(new BaselineEntry(AbsolutePath.of(path), Access.READ)));
        DEVICES.forEach(path -> entries.add(new BaselineEntry(AbsolutePath.of(path), Access.DEVICE)));
        return new SystemBaseline(entries);
    }

    /** A baseline of these entries alone. */
    public static SystemBaseline of(List<BaselineEntry> entries) {
        return new SystemBaseline(new ArrayList<>(entries));
    }

    /** This baseline and more. */
    public SystemBaseline plus(List<BaselineEntry> more) {
        List<BaselineEntry> all = new ArrayList<>(entries);
        all.addAll(more);
        return new SystemBaseline(all);
    }

    /** All entries, in a fixed order. */
    public List<BaselineEntry> entries() {
        return entries;
    }
}
