package dev.sandbox.app.mcp;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sandbox.app.service.CurrentSandbox;
import dev.sandbox.app.service.ServicePolicy;
import dev.sandbox.app.service.StepService;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import jakarta.servlet.http.HttpServlet;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The tools on a transport. The policy is fixed when it is made. */
public final class McpService implements AutoCloseable {
    private static final long LAST_ANSWERS_MILLIS = 5000;
    private static final int MOST_SESSIONS = 256;
    private static final Duration LONGEST_SILENCE = Duration.ofHours(1);

    private final RunningCalls calls = new RunningCalls();
    private final Progress progress = new Progress();
    private final McpJsonMapper mapper = new JacksonMcpJsonMapper(new ObjectMapper());
    private final List<McpSyncServer> served = new CopyOnWriteArrayList<>();
    private final Tools tools;
    private final String version;

    /** A service; nothing listens yet. */
    public McpService(StepService steps, CurrentSandbox sandbox, ServicePolicy policy, String version) {
        this.tools = new Tools(steps, sandbox, policy, calls, progress);
        this.version = version;
    }

    /** For {@code /mcp}: streamable HTTP. Who may come here is checked before. */
    public HttpServlet servlet(int maxBody) {
        HttpServletStreamableServerTransportProvider transport = HttpServletStreamableServerTransportProvider.builder()
                .jsonMapper(mapper)
                .mcpEndpoint("/mcp")
                .build();
        served.add(configured(McpServer.sync(transport)).build());
        McpSessions sessions = new McpSessions(MOST_SESSIONS, LONGEST_SILENCE, System::nanoTime);
        return new McpServlet(transport, new Messages(calls), sessions, maxBody);
    }

    /** Serves on two streams until the input ends; then running commands get a moment, and are ended. */
    public void serve(InputStream in, OutputStream out) {
        MessageInput input = new MessageInput(in, new Messages(calls), () -> {
            calls.awaitNone(LAST_ANSWERS_MILLIS);
            calls.cancelAll();
            calls.awaitNone(LAST_ANSWERS_MILLIS);
        });
        McpSyncServer server = configured(McpServer.sync(new StdioServerTransportProvider(mapper, input, out)))
                .build();
        input.awaitEnd();
        server.closeGracefully();
    }

    private <S extends McpServer.SyncSpecification<S>> McpServer.SyncSpecification<S> configured(
            McpServer.SyncSpecification<S> server) {
        return server.serverInfo("sandbox", version)
                .capabilities(ServerCapabilities.builder().tools(false).build())
                .jsonMapper(mapper)
                .jsonSchemaValidator(new OwnChecks())
                .validateToolInputs(false)
                .tools(tools.all());
    }

    /** The tools check their arguments themselves, in words, and a test holds their answers against the schemas. */
    private static final class OwnChecks implements JsonSchemaValidator {
        @Override
        public ValidationResponse validate(Map<String, Object> schema, Object content) {
            return ValidationResponse.asValid("");
        }
    }

    @Override
    public void close() {
        calls.cancelAll();
        progress.close();
        served.forEach(McpSyncServer::closeGracefully);
    }
}
