package dev.sandbox.app.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The JSON Schema (2020-12) of policies. Kept in one file; a test holds it and the parser against each other. */
public final class PolicySchema {
    private PolicySchema() {}

    /** The schema, as JSON. */
    public static String text() {
        try (InputStream in = PolicySchema.class.getResourceAsStream("policy.schema.json")) {
            return new String(Objects.requireNonNull(in, "policy.schema.json").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
