package dev.sandbox.mountns;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A process of the host that listens on an abstract unix socket, which Java cannot. */
record AbstractSocket(Process process) implements AutoCloseable {
    static AbstractSocket listen(String name) {
        String text = """
                    import socket, sys
                    s = socket.socket(socket.AF_UNIX); s.bind(chr(0) + sys.argv[1]); s.listen(9)
                    print('up', flush=True); sys.stdin.read()""";
        try {
            Process process = new ProcessBuilder("/usr/bin/python3", "-c", text, name).start();
            if (process.getInputStream().read() < 0) {
                throw new IllegalStateException("python3 does not listen");
            }
            return new AbstractSocket(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
