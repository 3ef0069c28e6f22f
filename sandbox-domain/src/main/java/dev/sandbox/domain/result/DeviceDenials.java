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
            "/dev/pts/",
            "create window failed", // tmux
            "you have too many files are open"); // expect

    private static final String PYTHONS_MEMORY = "/psm_";

    private static final List<String> NO_MEMORY =
            List.of("semlock", "sem_open", "shm_open", "posixshmem", "/dev/shm", "'" + PYTHONS_MEMORY);

    private static final String SHARED =
            " is shared by all programs of this account, and landlock cannot tell the step's own from theirs";

    private DeviceDenials() {}

    /** What was inferred from the same words, and before it these denials; none for what the policy shares. */
    public static List<Denial> with(List<Denial> inferred, String stderr, SandboxPolicy policy) {
        List<Denial> denials = new ArrayList<>(from(stderr, policy));
        for (Denial denial : inferred) {
            if (!denial.path().startsWith(PYTHONS_MEMORY)) { // a name in /dev/shm, which only looks like a path
                denials.add(denial);
            }
        }
        return denials;
    }

    /** From what the command complained about; nothing for what the policy shares. */
    static List<Denial> from(String stderr, SandboxPolicy policy) {
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
                "no grant covers it: " + shared + SHARED + "; mountns and docker give the step its own",
                "host_devices: [" + device.id() + "]");
    }
}
