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
    private static final String MACHINES = "a manager of machines";
    private static final String SNAPS = "the manager of snaps";
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
            socket("/run/k3s/containerd/containerd.sock", RUNTIME),
            socket("/run/k0s/containerd.sock", RUNTIME),
            socket("/run/cri-dockerd.sock", RUNTIME),
            socket("/run/dockershim.sock", RUNTIME),
            socket("/run/frakti.sock", RUNTIME),
            socket("/run/nri/nri.sock", RUNTIME),
            socket("/var/snap/microk8s/common/run/containerd.sock", RUNTIME),
            socket("/run/docker/containerd/containerd.sock", RUNTIME),
            socket("/run/libvirt/libvirt-sock", MACHINES),
            socket("/run/libvirt/virtqemud-sock", MACHINES),
            socket("/run/libvirt/virtlxcd-sock", MACHINES),
            socket("/run/libvirt/virtxend-sock", MACHINES),
            socket("/run/libvirt/virtstoraged-sock", MACHINES),
            socket("/var/lib/incus/unix.socket", MACHINES),
            socket("/run/incus/unix.socket", MACHINES),
            socket("/var/lib/lxd/unix.socket", MACHINES),
            socket("/var/snap/lxd/common/lxd/unix.socket", MACHINES),
            socket("/run/snapd.socket", SNAPS),
            socket("/run/snapd-snap.socket", SNAPS),
            socket("/run/dbus/system_bus_socket", DBUS),
            socket("/run/systemd/private", SYSTEMD));

    /** Below XDG_RUNTIME_DIR. */
    private static final Map<String, String> OF_A_USER = Map.ofEntries(
            Map.entry("docker.sock", RUNTIME),
            Map.entry("podman/podman.sock", RUNTIME),
            Map.entry("containerd/containerd.sock", RUNTIME),
            Map.entry("containerd-rootless/api.sock", RUNTIME),
            Map.entry("buildkit/buildkitd.sock", RUNTIME),
            Map.entry("libvirt/libvirt-sock", MACHINES),
            Map.entry("libvirt/virtqemud-sock", MACHINES),
            Map.entry("bus", DBUS),
            Map.entry("systemd/private", SYSTEMD),
            Map.entry("gnupg/S.gpg-agent", AGENT),
            Map.entry("gnupg/S.gpg-agent.ssh", AGENT),
            Map.entry("keyring/ssh", AGENT),
            Map.entry("wayland-0", DESKTOP),
            Map.entry("wayland-1", DESKTOP));

    private ServiceSockets() {}

    /** True for one that starts containers or machines for whoever asks. */
    static boolean isOfRuntime(ServiceSocket socket) {
        return socket.service().equals(RUNTIME) || socket.service().equals(MACHINES);
    }

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
        for (String name :
                List.of("DOCKER_HOST", "CONTAINER_HOST", "CONTAINERD_ADDRESS", "CONTAINER_RUNTIME_ENDPOINT")) {
            add(sockets, withoutScheme(environment.getOrDefault(name, "")), RUNTIME);
        }
        Matcher bus = UNIX_ADDRESS.matcher(environment.getOrDefault("DBUS_SESSION_BUS_ADDRESS", ""));
        while (bus.find()) {
            add(sockets, bus.group(1), DBUS);
        }
        return Collections.unmodifiableList(sockets);
    }

    private static String withoutScheme(String address) {
        return address.startsWith("unix://") ? address.substring("unix://".length()) : address;
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
