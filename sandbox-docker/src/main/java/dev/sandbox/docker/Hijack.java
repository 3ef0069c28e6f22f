package dev.sandbox.docker;

import com.github.dockerjava.core.DockerClientConfig;
import dev.sandbox.linux.InputFeed;
import dev.sandbox.linux.uapi.Tty;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/**
 * A connection of our own, for a command with input: docker-java's transport never half-closes a hijacked one, so that a command
 * which reads to the end of its input would wait for ever.
 *
 * @see <a href="https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Exec/operation/ExecStart">Exec start</a>
 */
final class Hijack implements Closeable {
    /** Closes the direction to the engine. */
    @FunctionalInterface
    private interface HalfClose {
        void run() throws IOException;
    }

    /** How the end of the input is told. */
    enum End {
        OF_PIPE,
        /**
         * By characters, of which the first ends a line without a line end: the engine would take a half-closed connection for one that
         * wants no more output either.
         */
        OF_TERMINAL
    }

    private final InputStream in;
    private final OutputStream out;
    private final HalfClose halfClose;
    private final Closeable connection;

    private Hijack(InputStream in, OutputStream out, HalfClose halfClose, Closeable connection) {
        this.in = in;
        this.out = out;
        this.halfClose = halfClose;
        this.connection = connection;
    }

    /** Posts JSON, and gives the connection over to raw bytes. */
    static Hijack post(DockerClientConfig config, String path, String json) throws IOException {
        Hijack hijack = connect(config);
        try {
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            String head = "POST " + path + " HTTP/1.1\r\nHost: docker\r\nContent-Type: application/json\r\n"
                    + "Connection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: " + body.length + "\r\n\r\n";
            hijack.out.write(head.getBytes(StandardCharsets.US_ASCII));
            hijack.out.write(body);
            hijack.out.flush();
            hijack.expectUpgrade();
            return hijack;
        } catch (IOException e) {
            hijack.close();
            throw e;
        }
    }

    private static Hijack connect(DockerClientConfig config) throws IOException {
        URI address = config.getDockerHost();
        if (EngineAddress.isLocal(config)) {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            boolean unused = channel.connect(UnixDomainSocketAddress.of(address.getPath()));
            return new Hijack(
                    Channels.newInputStream(plain(channel)),
                    Channels.newOutputStream(plain(channel)),
                    () -> {
                        SocketChannel unusedSame = channel.shutdownOutput();
                    },
                    channel);
        }
        Socket socket = config.getSSLConfig() == null
                ? new Socket(address.getHost(), address.getPort())
                : secure(config, address);
        return new Hijack(socket.getInputStream(), socket.getOutputStream(), socket::shutdownOutput, socket);
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

    private static Socket secure(DockerClientConfig config, URI address) throws IOException {
        try {
            return config.getSSLConfig()
                    .getSSLContext()
                    .getSocketFactory()
                    .createSocket(address.getHost(), address.getPort());
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS to " + address, e);
        }
    }

    private void expectUpgrade() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the engine closed the connection");
            }
            head.append((char) next);
        }
        String status = head.substring(0, head.indexOf("\r\n"));
        if (!status.contains(" 101 ")) {
            throw new IOException("the engine answers " + status);
        }
    }

    /** What the engine sends. */
    InputStream output() {
        return in;
    }

    /** Feeds the command from another thread, and tells of the end. */
    void feed(InputStream input, End end) {
        InputFeed unused = InputFeed.start(input, new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() throws IOException {
                switch (end) {
                    case OF_PIPE -> halfClose.run();
                    case OF_TERMINAL -> out.write(new byte[] {Tty.EOT, Tty.EOT});
                }
            }
        });
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException freedAllTheSame) {
            // The descriptor is free even when close(2) tells an error, and what it tells of nobody reads any more.
            return;
        }
    }
}
