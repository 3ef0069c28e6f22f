package dev.sandbox.app.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a client asks for, well-formed and not yet held against what the server allows.
 *
 * @param command for {@code /bin/sh -c}, as it is
 * @param workingDirectory where it starts
 * @param timeout {@link Duration#ZERO}: as long as the server allows; absent: the usual time
 * @param guard the paths that it may use; absent: those of the server's default policy
 * @param extraEnvironment variables
 * @param policy a policy document that narrows the server's
 * @param notes what the client should know of how this was read
 */
public record StepOrder(
        String command,
        Optional<String> workingDirectory,
        Optional<Duration> timeout,
        Optional<FolderGuard> guard,
        Map<String, String> extraEnvironment,
        Optional<JsonNode> policy,
        List<String> notes) {
    /** Paths for one step. Each list as in a policy. */
    public record FolderGuard(
            List<String> readPaths,
            List<String> writePaths,
            List<String> blockedPaths,
            List<String> blockedWritePaths) {}

    /** A command, and nothing else. */
    public static StepOrder of(String command, Optional<String> workingDirectory, Optional<Duration> timeout) {
        return new StepOrder(
                command, workingDirectory, timeout, Optional.empty(), Map.of(), Optional.empty(), List.of());
    }
}
