package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.linux.FilterRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * From the failure of the proof to its cause and the smallest way out. Settings of the host are read only to explain: whether it
 * works was found out by doing it. No remedy takes a protection from the whole host.
 */
final class Refusals {
    private static final String OTHER_BACKEND = "use landlock or docker";

    private final UnaryOperator<String> settings;

    /**
     * Explains by the settings of a host.
     *
     * @param settings the trimmed content of a file of /proc; empty when there is none
     */
    Refusals(UnaryOperator<String> settings) {
        this.settings = settings;
    }

    static Refusals ofThisHost() {
        return new Refusals(Refusals::setting);
    }

    BackendAssessment explain(String failure) {
        return BackendAssessment.unusable(BackendName.MOUNTNS, reason(failure), remedy(failure));
    }

    private String reason(String failure) {
        if (failure.startsWith("mount proc")) {
            return "parts of /proc are covered, as engines do in containers, so an ordinary user cannot mount another ("
                    + failure + ")";
        }
        if (FilterRefusal.isIn(failure)) {
            return FilterRefusal.reason(failure);
        }
        if (isAboutAnOldKernel(failure)) {
            return "this kernel, or a filter around this process, does not know all calls for mounts; the newest came with Linux 5.12 ("
                    + failure + ")";
        }
        if (!isAboutNamespaces(failure)) {
            return failure;
        }
        if (settings.apply("/proc/sys/user/max_user_namespaces").equals("0")
                || settings.apply("/proc/sys/kernel/unprivileged_userns_clone").equals("0")) {
            return "user namespaces are switched off on this host (" + failure + ")";
        }
        if (isRestrictedByAppArmor()) {
            return "AppArmor keeps unprivileged programs from user namespaces (" + failure + ")";
        }
        if (isFiltered()) {
            return "a seccomp filter around this process forbids namespaces (" + failure + ")";
        }
        return failure;
    }

    private String remedy(String failure) {
        if (FilterRefusal.isIn(failure)) {
            return FilterRefusal.REMEDY;
        }
        if (isAboutAnOldKernel(failure)) {
            return "a kernel from 5.12 on; or " + OTHER_BACKEND;
        }
        if (isAboutNamespaces(failure) && isRestrictedByAppArmor()) {
            return "give the program that runs sandbox an AppArmor profile with the userns rule, or " + OTHER_BACKEND;
        }
        return OTHER_BACKEND;
    }

    private static boolean isAboutAnOldKernel(String failure) {
        return failure.startsWith("bind ") && failure.contains("ENOSYS");
    }

    private static boolean isAboutNamespaces(String failure) {
        return failure.startsWith("make the namespaces") || failure.startsWith("map the");
    }

    private boolean isRestrictedByAppArmor() {
        return settings.apply("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
                .equals("1");
    }

    private boolean isFiltered() {
        return settings.apply("/proc/self/status").contains("Seccomp:\t2");
    }

    private static String setting(String file) {
        try {
            return Files.readString(Path.of(file), StandardCharsets.UTF_8).trim();
        } catch (IOException absent) {
            return "";
        }
    }
}
