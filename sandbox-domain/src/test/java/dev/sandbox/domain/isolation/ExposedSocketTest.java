package dev.sandbox.domain.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.PolicyResolver;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExposedSocketTest {
    private static Optional<AbsolutePath> find(String socket, long uid, UnaryOperator<SandboxPolicy.Builder> change) {
        FakeFileSystem files = FakeFileSystem.linux().symlink("/var/run", "/run");
        if (!socket.isEmpty()) {
            files.socket(socket);
        }
        files.details().caller(new Identity(uid, uid));
        Host host = Host.standard(files);
        SandboxPolicy policy = change.apply(SandboxPolicy.builder().baseDir(AbsolutePath.of("/w")))
                .build();
        return ExposedSocket.find(PolicyResolver.resolve(policy, host), host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/run/docker.sock",
                "/run/podman/podman.sock",
                "/run/containerd/containerd.sock",
                "/run/k3s/containerd/containerd.sock",
                "/run/crio/crio.sock",
                "/run/libvirt/libvirt-sock",
                "/var/lib/incus/unix.socket",
                "/var/lib/lxd/unix.socket"
            })
    void rootReachesARuntimesSocketUnlessItIsHidden(String socket) {
        assertThat(find(socket, 0, b -> b)).contains(AbsolutePath.of(socket));
        assertThat(find(socket, 1000, b -> b)).isEmpty();
    }

    @Test
    void whoNamesABackendOrClosesSocketsOrAllowsThisOneIsNotAsked() {
        String socket = "/run/docker.sock";
        assertThat(find(socket, 0, b -> b.backend(BackendName.LANDLOCK))).isEmpty();
        assertThat(find(socket, 0, b -> b.addRequire(Guarantee.UNIX_SCOPE))).isEmpty();
        assertThat(find(socket, 0, b -> b.addReadPaths(socket).addAllowSockets(socket)))
                .isEmpty();
        assertThat(find("", 0, b -> b)).isEmpty();
    }
}
