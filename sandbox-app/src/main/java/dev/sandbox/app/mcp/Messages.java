package dev.sandbox.app.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Sees the protocol's messages before the SDK does, which neither hands the id of a request to a tool nor acts on
 * {@code notifications/cancelled}. The id goes with the call as metadata, and a cancellation is carried out here.
 */
final class Messages {
    /** Where a call finds its name among {@link RunningCalls}. A client's own value is replaced. */
    static final String CALL = "dev.sandbox/call";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunningCalls calls;

    Messages(RunningCalls calls) {
        this.calls = calls;
    }

    /** Whether the SDK would take it: it listens no more after a line that is none. */
    static boolean isMessage(String line) {
        try {
            JsonNode document = JSON.readTree(line);
            boolean answer = document.has("id") && (document.has("result") || document.has("error"));
            return document.isObject() && (document.path("method").isTextual() || answer);
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    /**
     * The message as the SDK shall see it; one that is no JSON is the SDK's to refuse.
     *
     * @param scope what tells this client from others
     */
    String prepared(String message, String scope) {
        JsonNode document;
        try {
            document = JSON.readTree(message);
        } catch (JsonProcessingException e) {
            return message;
        }
        String method = document.path("method").asText();
        if (method.equals("notifications/cancelled")) {
            calls.cancel(name(scope, document.path("params").path("requestId")));
        }
        if (!method.equals("tools/call")
                || !document.hasNonNull("id")
                || !(document.path("params") instanceof ObjectNode parameters)) {
            return message;
        }
        String name = name(scope, document.path("id"));
        calls.announce(name);
        ObjectNode meta = parameters.path("_meta") instanceof ObjectNode given ? given : parameters.putObject("_meta");
        meta.put(CALL, name);
        return document.toString();
    }

    /** Told apart by type: 1 and "1" are two requests. */
    private static String name(String scope, JsonNode id) {
        return scope + " " + id;
    }
}
