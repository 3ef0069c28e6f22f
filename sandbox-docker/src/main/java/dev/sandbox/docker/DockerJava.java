package dev.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.core.LocalDirectorySSLConfig;
import com.github.dockerjava.transport.DockerHttpClient;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import java.io.IOException;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/**
 * What a run does not need and docker-java does well: registries with their credentials, and keys in PEM files. Loading it takes longer
 * than a whole command.
 */
final class DockerJava {
    private DockerJava() {}

    /** The keys and certificates in {@code ca.pem}, {@code cert.pem} and {@code key.pem}. */
    static SSLContext tls(Path folder) throws IOException {
        try {
            return new LocalDirectorySSLConfig(folder.toString()).getSSLContext();
        } catch (RuntimeException e) {
            throw new IOException("the keys in " + folder + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** Asks the registry that the name says, with the credentials that {@code docker login} left. */
    static void pull(EngineAddress address, String name) throws IOException, InterruptedException {
        boolean tagged = name.indexOf(':', name.lastIndexOf('/') + 1) >= 0 || name.contains("@");
        DockerClientConfig config = config(address);
        try (DockerHttpClient http = new ZerodepDockerHttpClient.Builder()
                        .dockerHost(config.getDockerHost())
                        .sslConfig(config.getSSLConfig())
                        .build();
                DockerClient client = DockerClientImpl.getInstance(config, http);
                PullImageResultCallback progress =
                        client.pullImageCmd(tagged ? name : name + ":latest").exec(new PullImageResultCallback())) {
            progress.awaitCompletion();
        }
    }

    private static DockerClientConfig config(EngineAddress address) {
        DefaultDockerClientConfig.Builder config = DefaultDockerClientConfig.createDefaultConfigBuilder()
                .withDockerHost(address.uri().toString())
                .withDockerTlsVerify(address.certificates().isPresent());
        address.certificates().ifPresent(folder -> config.withDockerCertPath(folder.toString()));
        return config.build();
    }
}
