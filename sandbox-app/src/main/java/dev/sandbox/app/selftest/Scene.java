package dev.sandbox.app.selftest;

import java.util.List;

/**
 * What the probes attack, by name. All paths are absolute.
 *
 * @param outside a folder that no policy grants: {@code secret}, {@code empty/}, {@code tool}, {@code program}, {@code socket}
 * @param inside the work folder, which is writable: {@code plain}, {@code carved/}
 * @param readonly a folder that may be read: {@code word}, {@code program} (not executable), and the probe program
 * @param program the probe program
 * @param word what every victim's text contains
 * @param callerPid the process that runs the probes
 * @param descriptor a number under which that process holds {@code outside/secret} open, not to be closed by exec
 * @param abstractSocket the name of a listening abstract socket
 * @param tcpPort a listening port of 127.0.0.1
 * @param udpPort a bound port of 127.0.0.1
 * @param secretName an environment variable of the caller whose value is {@code word}
 */
record Scene(
        String outside,
        String inside,
        String readonly,
        String program,
        String word,
        long callerPid,
        int descriptor,
        String abstractSocket,
        int tcpPort,
        int udpPort,
        String secretName) {
    /** The folder inside the work folder from which paths are blocked. */
    String carved() {
        return inside + "/carved";
    }

    /** The positional parameters of a script. */
    List<String> arguments() {
        return List.of(
                outside, inside, readonly, carved(), Long.toString(callerPid), Integer.toString(descriptor), word);
    }
}
