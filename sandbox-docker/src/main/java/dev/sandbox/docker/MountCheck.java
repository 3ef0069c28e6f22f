package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.Errno;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.FileStatus;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.SyscallException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether a container shows at each mount what was meant. The engine finds sources and targets by their names, some time after this
 * process looked at them, and follows links; a step that writes there swaps a folder with a link in between. So each file is remembered
 * before the engine is asked, and compared with what the container sees, before anything runs in it.
 */
final class MountCheck {
    private static final String MEMORY = "tmpfs";

    private final LinuxSyscalls syscalls;
    private final Map<ContainerMount, FileStatus.Identity> meant = new TreeMap<>();
    private final Collection<ContainerMount> mounts;

    private MountCheck(LinuxSyscalls syscalls, Collection<ContainerMount> mounts) {
        this.syscalls = syscalls;
        this.mounts = mounts;
    }

    /**
     * Looks at the sources, following no link.
     *
     * @param nothing the file that masks files, where the spec has such masks
     * @throws SyscallException when one cannot be looked at: it is gone, or a link leads to it now
     */
    static MountCheck of(ContainerSpec spec, Optional<AbsolutePath> nothing, LinuxSyscalls syscalls) {
        MountCheck check = new MountCheck(syscalls, spec.mounts());
        for (ContainerMount mount : spec.mounts()) {
            switch (mount.kind()) {
                case BIND, BIND_READ_ONLY -> check.remember(mount, mount.source());
                case MASK_FILE -> check.remember(mount, nothing.orElseThrow());
                case MASK_DIRECTORY, EMPTY_DIRECTORY, SCRATCH -> {}
            }
        }
        return check;
    }

    private void remember(ContainerMount mount, AbsolutePath source) {
        try (FileDescriptor file = syscalls.openCanonical(source.toString())) {
            meant.put(mount, syscalls.status(file).identity());
        }
    }

    /** What the container shows otherwise than meant; empty when all is well. */
    Optional<String> difference(ContainerView view) {
        try {
            return outermost().stream()
                    .flatMap(outer -> tree(view, outer).stream())
                    .findFirst();
        } catch (SyscallException e) {
            return Optional.of("a mount cannot be found in it: " + e.getMessage());
        }
    }

    /** Parents come before their children. */
    private List<ContainerMount> outermost() {
        List<ContainerMount> found = new ArrayList<>();
        for (ContainerMount mount : mounts) {
            boolean inside =
                    !found.isEmpty() && found.get(found.size() - 1).target().strictlyContains(mount.target());
            if (!inside) {
                found.add(mount);
            }
        }
        return found;
    }

    private Optional<String> tree(ContainerView view, ContainerMount outer) {
        try (FileDescriptor opened = view.open(outer.target())) {
            Optional<String> own = difference(outer, opened, view.entry(opened));
            return own.isPresent()
                    ? own
                    : mounts.stream()
                            .filter(mount -> outer.target().strictlyContains(mount.target()))
                            .flatMap(mount -> below(view, opened, outer.target(), mount).stream())
                            .findFirst();
        }
    }

    private Optional<String> below(
            ContainerView view, FileDescriptor opened, AbsolutePath outermost, ContainerMount mount) {
        try (FileDescriptor entry = view.openBelow(opened, outermost, mount.target())) {
            return difference(mount, entry, view.entry(entry));
        }
    }

    private Optional<String> difference(ContainerMount mount, FileDescriptor opened, ContainerView.Entry found) {
        boolean right = found.status().place() == FileStatus.Place.ROOT_OF_A_MOUNT
                && found.mount()
                        .filter(shown -> isMeant(mount, shown, found.status()))
                        .isPresent()
                && (mount.kind() != ContainerMount.Kind.MASK_DIRECTORY || showsNothing(opened));
        return right ? Optional.empty() : Optional.of("at " + mount.target() + " it shows something else");
    }

    private boolean isMeant(ContainerMount mount, ContainerView.Mount shown, FileStatus status) {
        boolean readOnly = shown.writing() == ContainerView.Mount.Writing.READ_ONLY;
        return switch (mount.kind()) {
            case BIND -> status.identity().equals(meant.get(mount));
            case BIND_READ_ONLY, MASK_FILE -> readOnly && status.identity().equals(meant.get(mount));
            // Engines give it the mode of the folder that it covers, whatever mode was asked for.
            case MASK_DIRECTORY, EMPTY_DIRECTORY -> readOnly && shown.type().equals(MEMORY);
            case SCRATCH -> shown.type().equals(MEMORY);
        };
    }

    /** An engine may copy what a mask covers into it. */
    private boolean showsNothing(FileDescriptor mask) {
        try {
            return syscalls.isEmpty(mask);
        } catch (SyscallException e) {
            return e.is(Errno.EACCES); // to this account, and so to the step
        }
    }
}
