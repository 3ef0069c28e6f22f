package dev.sandbox.app.selftest;

import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Fcntl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * What the probes attack: files in a folder of their own, sockets, an open descriptor, and this process. All of it is made here and
 * removed by {@link #close()}. Not thread-safe.
 */
final class Victims implements AutoCloseable {
    private static final int BACKLOG = 8;

    private final VictimFiles files;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final DatagramChannel udp;
    private final Scene scene;

    private Victims(String secretName, String word) throws IOException {
        files = VictimFiles.make(word, ProbeProgram.of(Architecture.host()));
        open.push(files);
        try {
            LinuxSyscalls syscalls = LinuxSyscalls.host();
            FileDescriptor descriptor = syscalls.open(files.secret().toString(), Fcntl.O_RDONLY);
            open.push(descriptor);
            syscalls.clearCloseOnExec(descriptor);
            String abstractSocket =
                    "sandbox-selftest-" + ProcessHandle.current().pid();
            open.push(syscalls.listenAbstract(abstractSocket));
            ServerSocketChannel pathname = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            open.push(pathname);
            pathname.bind(UnixDomainSocketAddress.of(files.socket()), BACKLOG);
            ServerSocket tcp = new ServerSocket(0, BACKLOG, loopback());
            open.push(tcp);
            udp = DatagramChannel.open(StandardProtocolFamily.INET);
            open.push(udp);
            udp.bind(new InetSocketAddress(loopback(), 0)).configureBlocking(false);
            scene = new Scene(
                    files.outside().toString(),
                    files.inside().toString(),
                    files.readonly().toString(),
                    files.program().toString(),
                    word,
                    ProcessHandle.current().pid(),
                    descriptor.number(),
                    abstractSocket,
                    tcp.getLocalPort(),
                    ((InetSocketAddress) udp.getLocalAddress()).getPort(),
                    secretName);
            files.remember();
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    /**
     * Makes them.
     *
     * @param secretName the name of an environment variable of the caller
     * @param word its value, which stands in every file too
     */
    static Victims make(String secretName, String word) throws IOException {
        return new Victims(secretName, word);
    }

    Scene scene() {
        return scene;
    }

    /** What was changed since the last call, put back by now; empty when nothing was. */
    List<Path> changes() throws IOException {
        return files.restore();
    }

    /** Whether a datagram came. The loopback delivers before the sender returns. */
    boolean received() {
        try {
            return udp.receive(ByteBuffer.allocate(1)) != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the process still lives that a probe left; it is ended. */
    Finding leftBehind() {
        List<ProcessHandle> left = ProcessHandle.allProcesses()
                .filter(process -> process.info().arguments().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(sleepingTime()::equals))
                .toList();
        left.forEach(ProcessHandle::destroyForcibly);
        return left.isEmpty()
                ? Finding.denied()
                : Finding.escaped("process " + left.get(0).pid() + " lived on");
    }

    /** The seconds that the process of the probe sleeps, which tell it from every other. */
    private String sleepingTime() {
        return "7" + scene.callerPid();
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                IOException wrapped = e instanceof IOException io ? io : new IOException(e);
                if (failure == null) {
                    failure = wrapped;
                } else {
                    failure.addSuppressed(wrapped);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
