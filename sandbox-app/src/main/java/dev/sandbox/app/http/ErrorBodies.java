package dev.sandbox.app.http;

import dev.sandbox.app.config.ResultDocument;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.jspecify.annotations.Nullable;

/** What Jetty itself refuses, such as headers that cannot be parsed, in the same shape as everything else and without details. */
final class ErrorBodies extends ErrorHandler {
    @Override
    public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        int status = response.getStatus();
        base.setHandled(true);
        Gate.write(response, new Reply(status, document(status), 0));
    }

    @Override
    public ByteBuffer badMessageError(int status, @Nullable String reason, HttpFields.Mutable fields) {
        fields.put(HttpHeader.CONTENT_TYPE, "application/json");
        return ByteBuffer.wrap(ResultDocument.render(document(status)).getBytes(StandardCharsets.UTF_8));
    }

    private static java.util.Map<String, Object> document(int status) {
        String message = String.valueOf(HttpStatus.getMessage(status));
        return Reply.refusal(status >= 500 ? "INTERNAL" : "BAD_REQUEST", message);
    }
}
