package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The protocol by its official client, on standard streams and over HTTP. */
@Timeout(120)
final class McpIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final McpJsonMapper MAPPER = new JacksonMcpJsonMapper(JSON);
    private static final String TOKEN = "token-of-this-test-0123";

    @TempDir(factory = ShortTempDir.class)
    private static Path folder;

    private static Served server;

    enum Transport {
        STDIO,
        HTTP
    }

    @BeforeAll
    static void serve() throws IOException {
        Files.createDirectories(folder.resolve("base/in"));
        Files.writeString(folder.resolve("base/in/f"), "allowed\n");
        Files.writeString(folder.resolve("base/secret"), "kept\n");
        server = Served.from(
                folder,
                Map.of("SANDBOX_API_TOKEN", TOKEN),
                "--base-dir",
                "base",
                "--read",
                "in",
                "--backend",
                "landlock");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static McpClientTransport transport(Transport kind) {
        return switch (kind) {
            case STDIO ->
                new StdioClientTransport(
                        ServerParameters.builder(Sandboxed.PROGRAM.toString())
                                .args(
                                        "mcp",
                                        "--base",
                                        folder.resolve("base").toString(),
                                        "--read",
                                        "in",
                                        "--backend",
                                        "landlock")
                                .env(Map.of("JAVA_HOME", System.getProperty("java.home"), "PATH", "/usr/bin:/bin"))
                                .build(),
                        MAPPER);
            case HTTP ->
                HttpClientStreamableHttpTransport.builder(server.url().toString())
                        .jsonMapper(MAPPER)
                        .requestBuilder(HttpRequest.newBuilder().header("Authorization", "Bearer " + TOKEN))
                        .build();
        };
    }

    /** The client's own checks are ours, with another version of the library than it knows. */
    private static final class Unchecked implements JsonSchemaValidator {
        @Override
        public ValidationResponse validate(Map<String, Object> schema, Object content) {
            return ValidationResponse.asValid("");
        }
    }

    private static McpClient.SyncSpec client(Transport kind) {
        return McpClient.sync(transport(kind))
                .jsonSchemaValidator(new Unchecked())
                .requestTimeout(Duration.ofSeconds(60))
                .initializationTimeout(Duration.ofSeconds(60));
    }

    private static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
    }

    private static String words(CallToolResult result) {
        return result.content().stream()
                .filter(TextContent.class::isInstance)
                .map(content -> ((TextContent) content).text())
                .collect(Collectors.joining());
    }

    private static void requireFits(Tool tool, CallToolResult result) {
        JsonNode schema = JSON.valueToTree(tool.outputSchema());
        JsonNode content = JSON.valueToTree(result.structuredContent());
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(schema)
                        .validate(content))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theToolsRunExplainAndRefuse(Transport kind) {
        CountDownLatch progress = new CountDownLatch(1);
        try (McpSyncClient client =
                client(kind).progressConsumer(report -> progress.countDown()).build()) {
            client.initialize();
            List<Tool> tools = client.listTools().tools();
            assertThat(tools).extracting(Tool::name).containsExactly("execute_shell_command", "explain_access");

            assertThat(tools.get(0).description())
                    .contains(
                            "relative paths start at " + folder.resolve("base"),
                            "may read and execute: the system's programs and libraries, in\n",
                            "network: on",
                            "timeout: 60 s, or what the call names, at most 3600 s");

            CallToolResult ran = call(client, "execute_shell_command", Map.of("command", "cat in/f; cat secret"));
            requireFits(tools.get(0), ran);
            assertThat(words(ran))
                    .contains(
                            "exited with code 1",
                            "allowed\n",
                            "The sandbox denied read of",
                            "Do not retry",
                            "ask the user")
                    .doesNotContain("kept");
            CallToolResult explained = call(client, "explain_access", Map.of("path", "secret", "operation", "write"));
            requireFits(tools.get(1), explained);
            assertThat(words(explained)).contains("denies write", "write_paths");

            CallToolResult policy =
                    call(client, "execute_shell_command", Map.of("command", "true", "policy", Map.of()));
            assertThat(policy.isError()).isTrue();
            assertThat(words(policy)).contains("policy: is not an argument");
            assertThat(words(
                            call(client, "execute_shell_command", Map.of("command", "pwd", "working_directory", ".."))))
                    .startsWith("Nothing ran. POLICY_INVALID");

            client.callTool(CallToolRequest.builder("execute_shell_command")
                    .arguments(Map.of("command", "sleep 2.5"))
                    .progressToken("mine")
                    .build());
            assertThat(progress.getCount()).isZero();
        }
    }

    @Test
    void withoutTheTokenNothingIsServed() {
        assertThat(server.send(
                                "/mcp",
                                request -> request.header("Content-Type", "application/json")
                                        .POST(HttpRequest.BodyPublishers.ofString("{}")))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void aCancelledCallEndsItsStepAndStandardOutputIsTheProtocolsAlone() throws Exception {
        Process process = new ProcessBuilder(
                        Sandboxed.PROGRAM.toString(),
                        "mcp",
                        "--base",
                        folder.resolve("base").toString(),
                        "--write",
                        ".")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedWriter in = process.outputWriter(StandardCharsets.UTF_8);
                BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            say(
                    in,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                            + "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}");
            assertThat(JSON.readTree(out.readLine()).path("id").intValue()).isEqualTo(1);
            say(in, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            say(in, "garbage");
            say(in, "{\"jsonrpc\":\"2.0\"}");
            say(
                    in,
                    "{\"jsonrpc\":\"2.0\",\"id\":\"run\",\"method\":\"tools/call\",\"params\":{\"name\":"
                            + "\"execute_shell_command\",\"arguments\":{\"command\":\"touch started; exec sleep 300\"},\"_meta\":{\"progressToken\":1}}}");
            assertThat(JSON.readTree(out.readLine()).path("method").asText()).isEqualTo("notifications/progress");
            while (Files.notExists(folder.resolve("base/started"))) {
                Thread.onSpinWait();
            }
            say(in, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"run\"}}");
            JsonNode answer = JSON.readTree(out.readLine());
            while (!answer.has("id")) {
                answer = JSON.readTree(out.readLine());
            }
            assertThat(answer.path("id").asText()).isEqualTo("run");
            assertThat(answer.path("result")
                            .path("structuredContent")
                            .path("termination")
                            .asText())
                    .isEqualTo("cancelled");
        }
        assertThat(process.waitFor()).isZero();
    }

    private static void say(BufferedWriter in, String message) throws IOException {
        in.write(message);
        in.newLine();
        in.flush();
    }
}
