package dev.sandbox.docker;

import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * A command in a container.
 *
 * @param argv its arguments
 * @param variables {@code NAME=value} to set, {@code NAME} to remove
 * @param workDir where it starts
 * @param user uid and gid
 * @param input where its input comes from; absent: the null device
 * @param terminal whether it gets a terminal
 */
record ExecRequest(
        List<String> argv,
        List<String> variables,
        String workDir,
        String user,
        Optional<InputStream> input,
        boolean terminal) {
    @Override
    public String toString() {
        return "ExecRequest{user=" + user + ", workDir=" + workDir + "}";
    }
}
