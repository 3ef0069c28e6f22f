package dev.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import dev.sandbox.linux.ProcessIdentity;
import java.time.Duration;
import java.util.List;

/** What is on the engine. */
final class Containers {
    private Containers() {}

    /** Whether all containers of this process go within a time. */
    static boolean goneWithin(Duration patience) throws InterruptedException {
        return goneWithin(patience, ProcessHandle.current().pid());
    }

    static boolean goneWithin(Duration patience, long pid) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!of(pid).isEmpty()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(100);
        }
        return true;
    }

    static List<Container> of(long pid) {
        return new Engine(EngineAddress.config())
                .labelled(Owner.LABEL).stream()
                        .filter(container -> ProcessIdentity.parse(
                                        container.getLabels().getOrDefault(Owner.LABEL, ""))
                                .filter(owner -> owner.pid() == pid)
                                .isPresent())
                        .toList();
    }

    static void removeImage(String image) {
        DockerClientConfig config = EngineAddress.config();
        DockerClient client = DockerClientImpl.getInstance(
                config,
                new ZerodepDockerHttpClient.Builder()
                        .dockerHost(config.getDockerHost())
                        .build());
        client.removeImageCmd(image).exec();
    }
}
