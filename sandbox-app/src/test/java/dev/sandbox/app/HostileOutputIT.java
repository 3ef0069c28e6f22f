package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a step prints to keep its reader busy, on every way that reads it. Each run ends soon after its step: work that grew with the
 * square of a line's length would take hours here.
 */
@Timeout(240)
@Tag("any-user")
final class HostileOutputIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** As each of them is tried: 64 MiB without a line end, no text, complaints of the kind that is looked for, control characters. */
    private static final String ZEROS = "head -c 67108864 /dev/zero; head -c 67108864 /dev/zero >&2";

    private static final String NO_TEXT = "head -c 67108864 /dev/urandom; head -c 67108864 /dev/urandom >&2";
    private static final String ONE_COMPLAINT =
            "{ printf 'permission denied '; yes a. | head -c 67108864 | tr -d '\\n'; } >&2";
    private static final String SLASHES =
            "{ head -c 67108864 /dev/zero | tr '\\0' /; printf ': Permission denied\\n'; } >&2";
    private static final String COMPLAINTS = "yes \"cat: /a/b/c: Permission denied: '\" | head -c 67108864 >&2";
    private static final String CONTROLS =
            "yes \"$(printf '\\302\\233\\033]0;x\\007\\033[2J')\" | head -c 67108864; echo TIMEOUT: >&2";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {ZEROS, NO_TEXT, ONE_COMPLAINT, SLASHES, COMPLAINTS, CONTROLS})
    void endsSoonAfterItsStep(String text) throws IOException {
        Sandboxed.Outcome passed = Sandboxed.from(folder).run("run", "-c", text).ended(0);
        assertThat(passed.bytes().length + passed.err().length()).isGreaterThan(40_000_000);
        JsonNode json = JSON.readTree(
                Sandboxed.from(folder).run("run", "--json", "-c", text).ended(0).bytes());
        assertThat(json.path("exit_code").intValue()).isZero();
        try (Served server = Served.from(folder)) {
            ObjectNode request = JSON.createObjectNode().put("command", text);
            assertThat(server.execute(request.toString())
                            .with(200)
                            .data()
                            .path("exit_code")
                            .intValue())
                    .isZero();
            JsonNode result = tool(server, text).path("result");
            assertThat(result.path("isError").booleanValue()).isFalse();
            assertThat(result.at("/content/0/text").textValue()).hasSizeLessThan(1_000_000);
            assertThat(result.at("/structuredContent/exit_code").intValue()).isZero();
        }
    }

    private static JsonNode tool(Served server, String text) throws IOException {
        String session = mcp(server, "none", JSON.readTree("""
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},
                 "clientInfo":{"name":"t","version":"1"}}}"""))
                .response()
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();
        ObjectNode call =
                JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 2).put("method", "tools/call");
        call.putObject("params")
                .put("name", "execute_shell_command")
                .putObject("arguments")
                .put("command", text);
        String events = mcp(server, session, call).body();
        int data = events.lastIndexOf("data:");
        return JSON.readTree(data < 0 ? events : events.substring(data + "data:".length()));
    }

    private static Served.Answer mcp(Served server, String session, JsonNode message) {
        return server.send("/mcp", request -> {
                    HttpRequest.Builder asked = request.header("Content-Type", "application/json")
                            .header("Accept", "application/json, text/event-stream")
                            .POST(HttpRequest.BodyPublishers.ofString(message.toString()));
                    return session.equals("none") ? asked : asked.header("Mcp-Session-Id", session);
                })
                .with(200);
    }
}
