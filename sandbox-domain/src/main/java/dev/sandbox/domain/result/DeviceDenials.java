package dev.sandbox.domain.result;

import dev.sandbox.domain.policy.HostDevice;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.verdict.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Explains why a command got no pseudo-terminal, no shared memory or no POSIX semaphore from a backend that has none of its own to
 * give. What programs say then names no path, or none that exists.
 */
public final class DeviceDenials {
    /** Of Python, util-linux, expect, tmux and glibc's callers. */
    private static final List<String> NO_TERMINAL = List.of(
            "out of pty devices",
            "create pseudo-terminal",
            "pseudo-terminal",
            "no more ptys",
            "out of ptys",
            "openpty",
            "forkpty",
            "posix_openpt",
            "/dev/ptmx",
            "/dev/pts/");

    private static final List<String> NO_MEMORY =
            List.of("semlock", "sem_open", "shm_open", "posixshmem", "/dev/shm", "'/psm_");

    private static final String SHARED =
            " is shared by all programs of this account, and landlock cannot tell the step's own from theirs";

    private DeviceDenials() {}

    /** From what the command complained about; nothing for what the policy shares. */
    public static List<Denial> from(String stderr, SandboxPolicy policy) {
        if (stderr.isEmpty()) {
            return List.of();
        }
        String said = stderr.toLowerCase(Locale.ROOT);
        List<Denial> denials = new ArrayList<>();
        if (!policy.hostDevices().contains(HostDevice.PTY) && says(said, NO_TERMINAL)) {
            denials.add(denial("/dev/ptmx", Operation.WRITE, "/dev/pts", HostDevice.PTY));
        }
        boolean shares = policy.tmp() == TmpMode.HOST || policy.hostDevices().contains(HostDevice.SHM);
        if (!shares && says(said, NO_MEMORY) && said.contains("permission denied")) {
            denials.add(denial("/dev/shm", Operation.CREATE, "/dev/shm", HostDevice.SHM));
        }
        return denials;
    }

    private static boolean says(String said, List<String> words) {
        for (String word : words) {
            if (said.contains(word)) {
                return true;
            }
        }
        return false;
    }

    private static Denial denial(String path, Operation operation, String shared, HostDevice device) {
        return new Denial(
                path,
                operation.id(),
                Denial.Source.INFERRED,
                "no grant covers it: " + shared + SHARED
                        + " (the backends mountns and docker have one of the step's own)",
                "host_devices: [" + device.id() + "]");
    }
}
