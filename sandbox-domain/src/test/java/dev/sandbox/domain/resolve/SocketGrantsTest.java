package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SocketGrantsTest {
    private static final Map<String, String> CALLER = Map.of(
            "HOME", "/home/user",
            "XDG_RUNTIME_DIR", "/run/user/1000",
            "SSH_AUTH_SOCK", "/tmp/ssh-XX/agent.7",
            "DOCKER_HOST", "unix:///srv/engine.sock",
            "DBUS_SESSION_BUS_ADDRESS", "tcp:host=x;unix:guid=1,path=/srv/bus;unix:abstract=/x");

    private final FakeFileSystem files = FakeFileSystem.linux()
            .symlink("/var/run", "../run")
            .socket("/run/docker.sock")
            .socket("/run/dbus/system_bus_socket")
            .socket("/run/systemd/private")
            .file("/run/podman/podman.sock")
            .socket("/run/other/own.sock")
            .socket("/tmp/.X11-unix/X0")
            .socket("/tmp/ssh-XX/agent.7")
            .socket("/run/user/1000/bus")
            .socket("/run/libvirt/libvirt-sock")
            .socket("/var/lib/incus/unix.socket")
            .socket("/var/snap/lxd/common/lxd/unix.socket")
            .socket("/run/snapd.socket")
            .socket("/run/k3s/containerd/containerd.sock")
            .socket("/run/crio/crio.sock")
            .socket("/run/containerd/containerd.sock")
            .socket("/run/user/1000/podman/podman.sock")
            .socket("/run/user/1000/gnupg/S.gpg-agent")
            .socket("/srv/engine.sock")
            .socket("/srv/bus")
            .socket("/home/user/.gnupg/S.gpg-agent")
            .file("/w/file");
    private final Host host = new Host(files, SystemBaseline.standard(), List.of(), ServiceSockets.of(CALLER, 1000));

    private ResolvedPolicy resolve(UnaryOperator<SandboxPolicy.Builder> change) {
        return PolicyResolver.resolve(
                change.apply(SandboxPolicy.builder().baseDir(AbsolutePath.of("/w")))
                        .build(),
                host);
    }

    /** For writing it is refused anyway. */
    @Test
    void readingWhereSystemdListensIsRefused() {
        assertThatThrownBy(() -> resolve(b -> b.addReadPaths("/run/systemd")))
                .hasMessageContaining("hands over the socket /run/systemd/private of systemd");
    }

    @ParameterizedTest
    @CsvSource({
        "/run/docker.sock, /run/docker.sock, a container runtime",
        "/var/run/docker.sock, /run/docker.sock, a container runtime",
        "/run/dbus, /run/dbus/system_bus_socket, D-Bus",
        "/run/libvirt, /run/libvirt/libvirt-sock, machines",
        "/var/lib/incus, /var/lib/incus/unix.socket, machines",
        "/var/snap/lxd, /var/snap/lxd/common/lxd/unix.socket, machines",
        "/run/snapd.socket, /run/snapd.socket, snaps",
        "/run/k3s, /run/k3s/containerd/containerd.sock, a container runtime",
        "/run/crio, /run/crio/crio.sock, a container runtime",
        "/run/containerd, /run/containerd/containerd.sock, a container runtime",
        "/tmp/.X11-unix, /tmp/.X11-unix/X0, desktop",
        "/tmp/ssh-XX, /tmp/ssh-XX/agent.7, keys",
        "/run/user/1000/podman, /run/user/1000/podman/podman.sock, a container runtime",
        "/run/user/1000/gnupg, S.gpg-agent, keys",
        "/srv/engine.sock, /srv/engine.sock, a container runtime",
        "/srv/bus, /srv/bus, D-Bus",
        "/home/user, /home/user/.gnupg/S.gpg-agent, keys"
    })
    void aGrantThatHandsOverAServicesSocketIsRefused(String grant, String socket, String service) {
        for (UnaryOperator<SandboxPolicy.Builder> policy : List.<UnaryOperator<SandboxPolicy.Builder>>of(
                b -> b.addReadPaths(grant), b -> b.addWritePaths(grant), b -> b.addExtraSystemPaths(grant))) {
            assertThatThrownBy(() -> resolve(policy))
                    .isInstanceOf(PolicyInvalidException.class)
                    .hasMessageContaining("_paths[0]: \"" + grant + "\" hands over the socket ")
                    .hasMessageContaining(socket)
                    .hasMessageContaining(service)
                    .hasMessageContaining("allow_sockets");
        }
    }

    @Test
    void aFolderAroundSeveralIsRefusedForEach() {
        assertThatThrownBy(() -> resolve(b -> b.addReadPaths("/run")))
                .hasMessageContaining("/run/docker.sock")
                .hasMessageContaining("/run/dbus/system_bus_socket")
                .hasMessageContaining("/run/user/1000/bus");
        assertThatThrownBy(() -> resolve(b -> b.tmp(TmpMode.HOST)))
                .hasMessageContaining("tmp: \"host\" hands over the socket /tmp/.X11-unix/X0");
    }

    @Test
    void whatIsNamedIsHandedOver() {
        assertThat(resolve(b -> b.addReadPaths("/run/docker.sock").addAllowSockets("/var/run/docker.sock"))
                        .allowedSockets())
                .containsExactly(AbsolutePath.of("/run/docker.sock"));
        assertThatThrownBy(() -> resolve(b -> b.addReadPaths("/run/user/1000").addAllowSockets("/run/user/1000/bus")))
                .hasMessageContaining("podman.sock")
                .hasMessageContaining("S.gpg-agent")
                .message()
                .doesNotContain("/bus ");
    }

    @Test
    void aBlockedSocketIsNotHandedOver() {
        assertThat(resolve(b -> b.addReadPaths("/run/dbus").addBlockedPaths("/run/dbus/system_bus_socket")))
                .isNotNull();
        assertThatThrownBy(() ->
                        resolve(b -> b.addReadPaths("/run/dbus").addBlockedWritePaths("/run/dbus/system_bus_socket")))
                .hasMessageContaining("D-Bus");
    }

    @Test
    void namesOnlyAndSocketsOfNobodysServiceArePassedOver() {
        assertThat(resolve(b -> b.addListPaths("/run").addReadPaths("/run/other", "/run/podman")))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "file, is no socket",
        "/none, is no socket",
        "/run, is no socket",
        "'', is no socket",
        "/run/docker.sock, is in no grant",
        "/run/other/own.sock, is in no grant"
    })
    void aSocketThatIsNoneOrInNoGrantIsAMistakeOfOneLine(String written, String what) {
        assertThatThrownBy(() -> resolve(b -> b.addReadPaths("file").addAllowSockets(written)))
                .isInstanceOfSatisfying(
                        PolicyInvalidException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .satisfies(problem -> assertThat(problem.line())
                                        .startsWith("allow_sockets[0]: \"" + written + "\" " + what)));
    }

    @Test
    void variablesThatNameNoPathNameNoSocket() {
        Map<String, String> odd =
                Map.of("SSH_AUTH_SOCK", "relative", "DOCKER_HOST", "tcp://h", "XDG_RUNTIME_DIR", "", "HOME", "h");
        assertThat(ServiceSockets.of(odd, 7))
                .isNotEmpty()
                .allMatch(socket -> socket.path().toString().startsWith("/run/user/7/"));
    }
}
