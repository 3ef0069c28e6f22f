package dev.sandbox.app.selftest;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.time.Duration;

/** The policies under which probes run: one folder read, one written, and what the name says. */
enum Setting {
    /** Nothing else. */
    PLAIN,
    /** Paths are blocked inside the written folder. */
    CARVED,
    /** No network. */
    OFFLINE,
    /** TCP to one port alone, where nobody listens. */
    ONE_PORT,
    /** At most {@link #PROCESSES}. */
    FEW_PROCESSES,
    /** At most {@link #MEMORY}. */
    LITTLE_MEMORY,
    /** Files no longer than {@link #FILE_SIZE}. */
    SHORT_FILES,
    /** At most {@link #OPEN_FILES}. */
    FEW_FILES,
    /** At most {@link #CPU_TIME}. */
    LITTLE_CPU;

    static final long PROCESSES = 30;
    /** In bytes. */
    static final long MEMORY = 64L << 20;
    /** In bytes. */
    static final long FILE_SIZE = 1L << 20;

    static final long OPEN_FILES = 64;
    static final Duration CPU_TIME = Duration.ofSeconds(1);

    private static final int DISCARD_PORT = 9;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The policy, for a backend yet to be named. */
    SandboxPolicy.Builder policy(Scene scene) {
        SandboxPolicy.Builder policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(scene.inside()))
                .addReadPaths(scene.readonly())
                .addWritePaths(scene.inside());
        Limits.Builder limits = Limits.builder().timeout(TIMEOUT);
        switch (this) {
            case PLAIN -> {}
            case CARVED ->
                policy.addBlockedPaths("carved/secret", "carved/folder", "carved/absent")
                        .addBlockedWritePaths("carved/fixed");
            case OFFLINE -> policy.network(NetworkPolicy.none());
            case ONE_PORT ->
                policy.network(NetworkPolicy.builder()
                        .mode(NetworkPolicy.Mode.TCP)
                        .addTcpConnect(DISCARD_PORT)
                        .build());
            case FEW_PROCESSES -> limits.processes(PROCESSES);
            case LITTLE_MEMORY -> limits.memory(MEMORY);
            case SHORT_FILES -> limits.fileSize(FILE_SIZE);
            case FEW_FILES -> limits.openFiles(OPEN_FILES);
            case LITTLE_CPU -> limits.cpuTime(CPU_TIME);
        }
        return policy.limits(limits.build());
    }
}
