package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine of the other tests, behind a door that wants TLS with keys on both sides. */
@SuppressWarnings("try") // an interrupt ends the test
final class TlsIT {
    private static final String KEYS = """
            openssl req -x509 -newkey rsa:2048 -nodes -keyout ca-key.pem -out ca.pem -days 2 -subj /CN=ca
            sign() {
                openssl req -newkey rsa:2048 -nodes -keyout $1-key.pem -out $1.csr -subj /CN=$1
                echo "subjectAltName=IP:$2" > $1.ext
                openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -out $1.pem -days 2 -extfile $1.ext
            }
            sign server 127.0.0.1; sign other 192.0.2.7; sign client 127.0.0.1
            mkdir keys; cp ca.pem keys; cp client.pem keys/cert.pem; cp client-key.pem keys/key.pem
            """;

    private static final String DOOR = """
            import socket, ssl, sys, threading
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1] + ".pem", sys.argv[1] + "-key.pem")
            context.load_verify_locations("ca.pem")
            context.verify_mode = ssl.CERT_REQUIRED
            door = socket.create_server(("127.0.0.1", 0))
            print(door.getsockname()[1], flush=True)
            def copy(one, other, end):
                try:
                    while data := one.recv(65536): other.sendall(data)
                    end()
                except OSError: pass
            def serve(client):
                try: inside = context.wrap_socket(client, server_side=True)
                except OSError: return
                engine = socket.socket(socket.AF_UNIX)
                engine.connect(sys.argv[2])
                threading.Thread(target=copy, args=(inside, engine, lambda: engine.shutdown(socket.SHUT_WR)), daemon=True).start()
                copy(engine, inside, inside.unwrap)
                inside.close()
            while True: threading.Thread(target=serve, args=(door.accept()[0],), daemon=True).start()
            """;

    @TempDir
    private Path folder;

    private @Nullable Process door;

    @BeforeAll
    static void engineAnswers() {
        assumeTrue(TestBackend.of(DockerBackendIT.IMAGE).assess().isUsable(), "needs a container engine");
        assumeTrue(Files.exists(Path.of("/usr/bin/openssl")), "needs openssl");
        assumeTrue(Files.exists(Path.of("/usr/bin/python3")), "needs python3");
    }

    @AfterEach
    void closeDoor() throws InterruptedException {
        if (door != null) {
            door.destroyForcibly().waitFor();
        }
    }

    private URI door(String keysOf) throws Exception {
        Process keys = new ProcessBuilder("/bin/sh", "-ec", KEYS)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keys.waitFor()).isZero();
        AbsolutePath socket = Engine.connect().socket().orElseThrow();
        Process opened = new ProcessBuilder("python3", "-c", DOOR, keysOf, socket.toString())
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        door = opened;
        BufferedReader said =
                new BufferedReader(new InputStreamReader(opened.getInputStream(), StandardCharsets.US_ASCII));
        return URI.create("tcp://127.0.0.1:" + said.readLine());
    }

    @Test
    void anEngineBehindTlsAnswersToItsKeysAndToNothingElse() throws Exception {
        URI address = door("server");
        Engine engine = new Engine(new EngineAddress(address, Optional.of(folder.resolve("keys"))));
        assertThat(engine.facts()).isEqualTo(Engine.connect().facts());
        assertThatThrownBy(() -> new Engine(new EngineAddress(address, Optional.empty())).facts())
                .isInstanceOf(SandboxUnavailableException.class);
    }

    @Test
    void aCertificateOfAnotherHostIsRefused() throws Exception {
        Engine engine = new Engine(new EngineAddress(door("other"), Optional.of(folder.resolve("keys"))));
        assertThatThrownBy(engine::facts)
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("No subject alternative names matching");
    }
}
