package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Looks at what stands before a step may start: mount(8) follows links and skips what it takes for mounted already, and its binds are
 * not recursively read-only.
 */
final class MountCheck {
    private static final Set<String> KERNEL_FILE_SYSTEMS = Set.of("/dev/pts", "/proc");

    private MountCheck() {}

    /**
     * Compares.
     *
     * @throws SandboxUnavailableException naming the place that is not as planned
     */
    static void verify(MountPlan plan, MountTable inside) {
        List<MountOperation.Bind> binds = plan.binds().toList();
        TreeMap<AbsolutePath, MountOperation.Bind> byTarget = new TreeMap<>();
        binds.forEach(bind -> byTarget.put(bind.target(), bind));
        Set<AbsolutePath> points =
                inside.entries().stream().map(MountTable.Entry::point).collect(Collectors.toUnmodifiableSet());
        for (MountOperation.Bind bind : binds) {
            if (!points.contains(bind.target())) {
                throw unverified(bind.target(), "is not mounted");
            }
        }
        for (MountTable.Entry entry : inside.entries()) {
            MountOperation.Bind own = byTarget.get(entry.point());
            MountOperation.Mode mode = own != null
                    ? own.mode()
                    : EffectiveGrants.above(byTarget, entry.point())
                            .map(MountOperation.Bind::mode)
                            .orElse(MountOperation.Mode.READ_ONLY);
            boolean kernel = KERNEL_FILE_SYSTEMS.contains(entry.point().toString());
            if (mode == MountOperation.Mode.READ_ONLY && !kernel && !entry.has("ro")) {
                throw unverified(entry.point(), "is not read-only");
            }
        }
    }

    private static SandboxUnavailableException unverified(AbsolutePath path, String what) {
        return new SandboxUnavailableException(
                "mountns", path + " " + what + " after all mounts were made; nothing ran", Enforcer.WAY_OUT);
    }
}
