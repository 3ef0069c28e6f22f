package dev.sandbox.app.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;

/** Reads a body whole, up to a limit, whatever its headers say of its length. */
final class RequestBody {
    private RequestBody() {}

    /**
     * The bytes.
     *
     * @throws Refusal 413, when there are more
     */
    static byte[] read(HttpServletRequest request, int limit) throws IOException {
        if (request.getContentLengthLong() > limit) {
            throw Refusal.tooLarge(limit);
        }
        InputStream in = request.getInputStream();
        byte[] body = in.readNBytes(limit + 1);
        if (body.length > limit) {
            throw Refusal.tooLarge(limit);
        }
        return body;
    }
}
