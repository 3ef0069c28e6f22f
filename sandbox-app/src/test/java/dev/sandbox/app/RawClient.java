package dev.sandbox.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Speaks to a server on the loopback in bytes that no client of HTTP would send. */
record RawClient(int port) {
    private static final int PATIENCE_SECONDS = 60;

    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        return socket;
    }

    static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** The head of the answer. */
    String answerTo(String request) throws IOException {
        try (Socket socket = connect()) {
            write(socket, request);
            return head(socket.getInputStream());
        }
    }

    /** The head of the answer to a body of that length, of which the first byte is sent: the server need not wait for more. */
    String answerToABodyOf(int length) throws IOException {
        return answerTo("POST /api/execute HTTP/1.1\r\nHost: localhost:" + port
                + "\r\nContent-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n ");
    }

    private static String head(InputStream in) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
        StringBuilder head = new StringBuilder();
        for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }
}
