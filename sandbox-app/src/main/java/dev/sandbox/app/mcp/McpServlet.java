package dev.sandbox.app.mcp;

import dev.sandbox.app.service.BoundedInput;
import dev.sandbox.app.service.EndOfRequest;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The SDK's servlet, behind a bound on bodies and sessions and a look at the messages. */
final class McpServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String SESSION = "Mcp-Session-Id";

    private final transient HttpServlet protocol;
    private final transient Messages messages;
    private final transient McpSessions sessions;
    private final int maxBody;

    McpServlet(HttpServlet protocol, Messages messages, McpSessions sessions, int maxBody) {
        this.protocol = protocol;
        this.messages = messages;
        this.sessions = sessions;
        this.maxBody = maxBody;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (!request.getMethod().equals("POST")) {
            protocol.service(request, response);
            if (request.getMethod().equals("DELETE")) {
                sessions.ended(session(request));
            }
            return;
        }
        BoundedInput body = BoundedInput.read(request.getInputStream(), maxBody);
        if (body.end() != BoundedInput.End.WHOLE) {
            response.sendError(
                    body.end() == BoundedInput.End.TOO_LONG
                            ? HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE
                            : HttpServletResponse.SC_REQUEST_TIMEOUT);
            return;
        }
        String message;
        try {
            message = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body.bytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        String session = session(request);
        byte[] seen = messages.prepared(message, session).getBytes(StandardCharsets.UTF_8);
        sessions.entered(session);
        try {
            protocol.service(new Prepared(request, seen), response);
        } finally {
            EndOfRequest.then(request, () -> sessions.left(session));
        }
        String begun = response.getHeader(SESSION);
        if (begun != null && !begun.equals(session)) {
            for (String ending : sessions.begun(begun)) {
                protocol.service(new EndOfSession(request, ending), new NoResponse(response));
            }
        }
    }

    private static String session(HttpServletRequest request) {
        return String.valueOf(request.getHeader(SESSION));
    }

    /** What a client would send that ends its session. */
    private static final class EndOfSession extends HttpServletRequestWrapper {
        private final String session;

        EndOfSession(HttpServletRequest request, String session) {
            super(request);
            this.session = session;
        }

        @Override
        public String getMethod() {
            return "DELETE";
        }

        @Override
        public @Nullable String getHeader(String name) {
            return name.equalsIgnoreCase(SESSION) ? session : super.getHeader(name);
        }
    }

    /** Nobody waits for that answer. */
    private static final class NoResponse extends HttpServletResponseWrapper {
        private final PrintWriter writer = new PrintWriter(Writer.nullWriter());

        NoResponse(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void setStatus(int status) {}

        @Override
        public void sendError(int status) {}

        @Override
        public void sendError(int status, String message) {}

        @Override
        public void setHeader(String name, String value) {}

        @Override
        public void setContentType(String type) {}

        @Override
        public void setCharacterEncoding(String encoding) {}

        @Override
        public PrintWriter getWriter() {
            return writer;
        }
    }

    private static final class Prepared extends HttpServletRequestWrapper {
        private final byte[] body;

        Prepared(HttpServletRequest request, byte[] body) {
            super(request);
            this.body = body;
        }

        @Override
        public ServletInputStream getInputStream() {
            ByteArrayInputStream bytes = new ByteArrayInputStream(body);
            return new ServletInputStream() {
                @Override
                public boolean isFinished() {
                    return bytes.available() == 0;
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setReadListener(ReadListener listener) {
                    throw new IllegalStateException("the body is here already");
                }

                @Override
                public int read() {
                    return bytes.read();
                }

                @Override
                public int read(byte[] buffer, int offset, int length) {
                    return bytes.read(buffer, offset, length);
                }
            };
        }

        @Override
        public BufferedReader getReader() {
            return new BufferedReader(new InputStreamReader(new ByteArrayInputStream(body), StandardCharsets.UTF_8));
        }

        @Override
        public int getContentLength() {
            return body.length;
        }

        @Override
        public long getContentLengthLong() {
            return body.length;
        }
    }
}
