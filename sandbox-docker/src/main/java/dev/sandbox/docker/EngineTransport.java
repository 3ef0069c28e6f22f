package dev.sandbox.docker;

import dev.sandbox.docker.EngineConnection.After;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** How an engine is reached: a connection for each request, over a unix socket, TCP or TLS. Thread-safe. */
final class EngineTransport {
    private static final int PATIENCE_MILLIS = 10_000;

    private final EngineAddress address;

    EngineTransport(EngineAddress address) {
        this.address = address;
    }

    /**
     * An answer.
     *
     * @param status of HTTP
     * @param content its body
     */
    record Reply(int status, Answer content) {}

    /** Asks, and reads the whole answer. */
    Reply ask(String method, String path, String json) throws IOException {
        try (EngineConnection connection = open(method, path, json, After.ANSWER)) {
            return new Reply(connection.status(), Json.parse(connection.body()));
        }
    }

    /** Asks, and leaves the connection to the caller once the head of the answer was read. */
    EngineConnection open(String method, String path, String json, After after) throws IOException {
        EngineConnection connection = connect();
        try {
            connection.request(method, path, json, after);
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private EngineConnection connect() throws IOException {
        if (address.isSocket()) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                boolean unused = channel.connect(UnixDomainSocketAddress.of(address.socket()));
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            return new EngineConnection(
                    Channels.newInputStream(plain(channel)),
                    Channels.newOutputStream(plain(channel)),
                    () -> {
                        SocketChannel unusedSame = channel.shutdownOutput();
                    },
                    channel);
        }
        Socket socket = socket();
        return new EngineConnection(socket.getInputStream(), socket.getOutputStream(), socket::shutdownOutput, socket);
    }

    private Socket socket() throws IOException {
        Socket plain = new Socket();
        try {
            plain.connect(
                    new InetSocketAddress(address.uri().getHost(), address.uri().getPort()), PATIENCE_MILLIS);
            return address.certificates().isPresent()
                    ? secured(plain, address.certificates().get())
                    : plain;
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    /** Java asks whether a certificate is trusted, and only when told whether it is this host's. */
    private Socket secured(Socket plain, Path certificates) throws IOException {
        SSLSocket secured = (SSLSocket) DockerJava.tls(certificates)
                .getSocketFactory()
                .createSocket(plain, address.uri().getHost(), address.uri().getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    /** Hidden behind a plain channel: of a selectable one, Channels' two streams wait for each other on one lock. */
    private static ByteChannel plain(SocketChannel channel) {
        return new ByteChannel() {
            @Override
            public int read(ByteBuffer buffer) throws IOException {
                return channel.read(buffer);
            }

            @Override
            public int write(ByteBuffer buffer) throws IOException {
                return channel.write(buffer);
            }

            @Override
            public boolean isOpen() {
                return channel.isOpen();
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }
}
