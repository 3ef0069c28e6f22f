package dev.sandbox.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The document is written by hand; this holds it against what is served and read. */
final class OpenApiTest {
    private static JsonNode document() throws IOException {
        try (InputStream in = Routes.class.getResourceAsStream("openapi.json")) {
            return new ObjectMapper().readTree(Objects.requireNonNull(in));
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what they are served by is not looked at
    void itNamesEveryRouteAndNoOther() throws IOException {
        TreeSet<String> documented = new TreeSet<>();
        document()
                .path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(
                                method -> documented.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
        TreeSet<String> served = new Routes(null, null, null)
                .all().stream()
                        .map(route -> route.method() + " " + route.path())
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(served);
    }

    @Test
    void itNamesTheKeysOfARequest() throws IOException {
        JsonNode request = document()
                .path("components")
                .path("schemas")
                .path("ExecuteRequest")
                .path("properties");
        TreeSet<String> keys = new TreeSet<>();
        request.fieldNames().forEachRemaining(keys::add);
        assertThat(keys).isEqualTo(new TreeSet<>(ExecuteRequestParser.KEYS));
        TreeSet<String> guard = new TreeSet<>();
        request.path("folder_guard").path("properties").fieldNames().forEachRemaining(guard::add);
        assertThat(guard).isEqualTo(new TreeSet<>(ExecuteRequestParser.GUARD_KEYS));
    }
}
