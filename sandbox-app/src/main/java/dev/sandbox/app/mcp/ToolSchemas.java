package dev.sandbox.app.mcp;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/** What tools take and give, in JSON Schema. */
final class ToolSchemas {
    static final Map<String, Object> EXECUTE_INPUT = read("execute-input.schema.json");
    static final Map<String, Object> EXECUTE_OUTPUT = read("execute-output.schema.json");
    static final Map<String, Object> EXPLAIN_INPUT = read("explain-input.schema.json");
    static final Map<String, Object> EXPLAIN_OUTPUT = read("explain-output.schema.json");

    private ToolSchemas() {}

    private static Map<String, Object> read(String name) {
        try (InputStream in = ToolSchemas.class.getResourceAsStream(name)) {
            return new ObjectMapper().readValue(Objects.requireNonNull(in, name), new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
