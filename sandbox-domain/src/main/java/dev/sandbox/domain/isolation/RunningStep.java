package dev.sandbox.domain.isolation;

import java.time.Duration;

/**
 * A step that runs now.
 *
 * @param id names it as long as the sandbox lives
 * @param command as the user wrote it
 * @param backend what enforces its policy
 * @param pid as {@link SandboxedProcess#pid}
 * @param age since it was started
 */
public record RunningStep(long id, String command, BackendName backend, long pid, Duration age) {}
