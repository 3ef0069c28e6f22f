package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where the sockets of services usually are. A service is found by its path alone: nothing is connected to. Pure. */
public final class ServiceSockets {
    private static final String RUNTIME = "a container runtime";
    private static final String AGENT = "the agent of the caller's keys";
    private static final String DESKTOP = "the caller's desktop";
    private static final String SYSTEMD = "systemd";
    private static final String DBUS = "D-Bus";
    private static final int DISPLAYS = 10;
    private static final Pattern UNIX_ADDRESS = Pattern.compile("unix:(?:[^;]*,)?path=([^,;]+)");

    private static final List<ServiceSocket> OF_THE_SYSTEM = List.of(
            socket("/run/docker.sock", RUNTIME),
            socket("/var/run/docker.sock", RUNTIME),
            socket("/run/containerd/containerd.sock", RUNTIME),
            socket("/run/podman/podman.sock", RUNTIME),
            socket("/run/crio/crio.sock", RUNTIME),
            socket("/run/buildkit/buildkitd.sock", RUNTIME),
            socket("/run/dbus/system_bus_socket", DBUS),
            socket("/run/systemd/private", SYSTEMD));

    /** Below XDG_RUNTIME_DIR. */
    private static final Map<String, String> OF_A_USER = Map.of(
            "docker.sock", RUNTIME,
            "podman/podman.sock", RUNTIME,
            "containerd/containerd.sock", RUNTIME,
            "bus", DBUS,
            "systemd/private", SYSTEMD,
            "gnupg/S.gpg-agent", AGENT,
            "gnupg/S.gpg-agent.ssh", AGENT,
            "keyring/ssh", AGENT,
            "wayland-0", DESKTOP,
            "wayland-1", DESKTOP);

    private ServiceSockets() {}

    /** Those of the machine, for every caller. */
    static List<ServiceSocket> ofTheSystem() {
        List<ServiceSocket> sockets = new ArrayList<>(OF_THE_SYSTEM);
        for (int display = 0; display < DISPLAYS; display++) {
            sockets.add(socket("/tmp/.X11-unix/X" + display, DESKTOP));
        }
        return Collections.unmodifiableList(sockets);
    }

    /**
     * Those of a caller.
     *
     * @param environment the caller's variables
     * @param uid the caller's number
     */
    public static List<ServiceSocket> of(Map<String, String> environment, int uid) {
        List<ServiceSocket> sockets = new ArrayList<>();
        Stream.of(Optional.of("/run/user/" + uid), Optional.ofNullable(environment.get("XDG_RUNTIME_DIR")))
                .flatMap(Optional::stream)
                .filter(folder -> !folder.isEmpty())
                .distinct()
                .forEach(folder -> OF_A_USER.forEach((name, service) -> add(sockets, folder + "/" + name, service)));
        add(sockets, environment.getOrDefault("SSH_AUTH_SOCK", ""), AGENT);
        add(sockets, environment.getOrDefault("HOME", "") + "/.gnupg/S.gpg-agent", AGENT);
        String docker = environment.getOrDefault("DOCKER_HOST", "");
        add(sockets, docker.startsWith("unix://") ? docker.substring("unix://".length()) : "", RUNTIME);
        Matcher bus = UNIX_ADDRESS.matcher(environment.getOrDefault("DBUS_SESSION_BUS_ADDRESS", ""));
        while (bus.find()) {
            add(sockets, bus.group(1), DBUS);
        }
        return Collections.unmodifiableList(sockets);
    }

    /** What is no path in a variable names no socket. */
    private static void add(List<ServiceSocket> sockets, String path, String service) {
        try {
            sockets.add(socket(path, service));
        } catch (IllegalArgumentException e) {
            return;
        }
    }

    private static ServiceSocket socket(String path, String service) {
        return new ServiceSocket(AbsolutePath.of(path), service);
    }
}
