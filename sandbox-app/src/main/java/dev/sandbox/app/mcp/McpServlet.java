package dev.sandbox.app.mcp;

import dev.sandbox.app.service.BoundedInput;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The SDK's servlet, behind a bound on bodies and a look at the messages. */
final class McpServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient HttpServlet protocol;
    private final transient Messages messages;
    private final int maxBody;

    McpServlet(HttpServlet protocol, Messages messages, int maxBody) {
        this.protocol = protocol;
        this.messages = messages;
        this.maxBody = maxBody;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (!request.getMethod().equals("POST")) {
            protocol.service(request, response);
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
        String session = String.valueOf(request.getHeader("Mcp-Session-Id"));
        byte[] seen = messages.prepared(message, session).getBytes(StandardCharsets.UTF_8);
        protocol.service(new Prepared(request, seen), response);
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
