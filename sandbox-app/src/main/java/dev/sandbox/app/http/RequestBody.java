package dev.sandbox.app.http;

import dev.sandbox.app.service.BoundedInput;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** Reads a body whole, up to a limit, whatever its headers say of its length. */
final class RequestBody {
    private RequestBody() {}

    /**
     * The bytes.
     *
     * @throws Refusal 413, when there are more; 408, when they come too slowly
     */
    static byte[] read(HttpServletRequest request, int limit) throws IOException {
        if (request.getContentLengthLong() > limit) {
            throw Refusal.tooLarge(limit);
        }
        BoundedInput body = BoundedInput.read(request.getInputStream(), limit);
        return switch (body.end()) {
            case WHOLE -> body.bytes();
            case TOO_LONG -> throw Refusal.tooLarge(limit);
            case TOO_SLOW -> throw Refusal.tooSlow();
        };
    }
}
