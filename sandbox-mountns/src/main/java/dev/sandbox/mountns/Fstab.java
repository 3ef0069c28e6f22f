package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.mountns.MountOperation.Bind;
import dev.sandbox.mountns.MountOperation.KernelFileSystem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan's mounts as an fstab for one {@code mount -a -T}. A bind sets its flags on the top mount only, so every mount below gets a
 * line of its own; and a mount that came from outside the user namespace must keep what is locked on it: read-only and noexec.
 */
final class Fstab {
    private final MountTable host;
    private final AbsolutePath stage;
    private final List<String> lines = new ArrayList<>();

    private Fstab(MountTable host, AbsolutePath stage) {
        this.host = host;
        this.stage = stage;
    }

    static List<String> lines(MountPlan plan, MountTable host, AbsolutePath stage) {
        Fstab fstab = new Fstab(host, stage);
        plan.operations().forEach(fstab::add);
        return fstab.lines;
    }

    private void add(MountOperation operation) {
        if (operation instanceof Bind bind) {
            bind(bind);
        } else if (operation instanceof KernelFileSystem kernel) {
            String options = switch (kernel.type()) {
                // Not read-only: unshare(1) writes its uid_map there, and a step's own may be no freer than this one.
                case PROC -> "nosuid,nodev,noexec";
                case DEVPTS -> "newinstance,ptmxmode=0666,mode=0620,nosuid,noexec";
            };
            line(kernel.type().id(), staged(kernel.target()), kernel.type().id(), options);
        } else if (operation instanceof MountOperation.Seal) {
            line("none", stage.toString(), "none", "remount,bind,ro,nosuid,nodev");
        }
    }

    private void bind(Bind bind) {
        if (bind.origin() == MountOperation.Origin.SANDBOX) {
            line(staged(bind.source()), staged(bind.target()), "none", "bind," + flags(bind.mode()));
            return;
        }
        String source = bind.source().toString();
        line(
                source,
                staged(bind.target()),
                "none",
                "rbind," + flags(bind.mode()) + locked(host.at(bind.source()), bind));
        for (MountTable.Entry below : host.below(bind.source())) {
            AbsolutePath target = bind.target().resolve(bind.source().relativize(below.point()));
            line("none", staged(target), "none", "remount,bind," + flags(bind.mode()) + locked(below, bind));
        }
    }

    private static String flags(MountOperation.Mode mode) {
        return switch (mode) {
            case READ_ONLY -> "ro,nosuid,nodev";
            case READ_WRITE -> "nosuid,nodev";
            case DEVICE -> "nosuid,noexec";
        };
    }

    private static String locked(MountTable.Entry source, Bind bind) {
        String readOnly = source.has("ro") && bind.mode() != MountOperation.Mode.READ_ONLY ? ",ro" : "";
        return readOnly + (source.has("noexec") && bind.mode() != MountOperation.Mode.DEVICE ? ",noexec" : "");
    }

    private String staged(AbsolutePath path) {
        return stage.resolve(AbsolutePath.ROOT.relativize(path)).toString();
    }

    private void line(String source, String target, String type, String options) {
        lines.add(escape(source) + " " + escape(target) + " " + type + " " + options + " 0 0");
    }

    /** Every byte that is not plainly harmless, as the backslash and three octal digits that mount(8) reads. */
    static String escape(String field) {
        StringBuilder escaped = new StringBuilder(field.length() + 16);
        for (byte b : field.getBytes(StandardCharsets.UTF_8)) {
            int value = b & 0xff;
            if (value < 0x80 && (Character.isLetterOrDigit(value) || "/._-+".indexOf(value) >= 0)) {
                escaped.append((char) value);
            } else {
                escaped.append('\\')
                        .append((char) ('0' + (value >> 6)))
                        .append((char) ('0' + (value >> 3 & 7)))
                        .append((char) ('0' + (value & 7)));
            }
        }
        return escaped.toString();
    }
}
