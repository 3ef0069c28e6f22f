package dev.sandbox.mountns;

import dev.sandbox.linux.NativeArena;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The first process of the PID namespace that the syscalls enforcer makes. It lets the kernel reap orphans and waits until its standard
 * input ends: with the JVM, or with the run. When it ends, by that or by a signal, the kernel kills everything in the namespace.
 */
final class InitScript {
    static final int READY_LENGTH = 6;
    /** The first four bytes of {@code ready}, as an int of native order. */
    static final int READY = readyWord();

    private static final String WAIT = "trap '' CHLD; exec >/dev/null 2>&1; read nothing";
    private static final String MOUNT = """
            /usr/bin/mount -t proc -o ro,nosuid,nodev,noexec proc /proc || exit 1
            echo ready
            exec /usr/bin/setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all \
            /bin/sh -c "$1" sandbox-init
            """;

    /** For an init that is started without capabilities. */
    static final List<String> WAITING = List.of("/bin/sh", "-c", WAIT, "sandbox-init");

    /** For kernels where only a process inside can mount the /proc of a namespace: it does, says so, and gives up its capabilities. */
    static final List<String> MOUNTING = List.of("/bin/sh", "-c", MOUNT, "sandbox-init", WAIT);

    private InitScript() {}

    private static int readyWord() {
        try (NativeArena arena = new NativeArena()) {
            return NativeArena.getInt(arena.bytes("ready\n".getBytes(StandardCharsets.US_ASCII)));
        }
    }
}
