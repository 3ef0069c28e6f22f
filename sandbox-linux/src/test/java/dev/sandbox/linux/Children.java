package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.OutputSink.Demand;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** Real children for tests. */
public final class Children {
    static final ConfinedSpawn SPAWN = new ConfinedSpawn();

    private Children() {}

    /** A shell text with a small environment. */
    public static SpawnRequest.Builder shell(String text) {
        return program("/bin/sh", "-c", text);
    }

    public static SpawnRequest.Builder program(String program, String... arguments) {
        return SpawnRequest.builder()
                .addPrograms(program)
                .addArgv(program)
                .addArgv(arguments)
                .environment(Map.of("PATH", "/usr/local/bin:/usr/bin:/bin"))
                .workingDirectory("/")
                .marker(RunMarker.next());
    }

    public static NativeProcess start(SpawnRequest.Builder request) {
        return SPAWN.spawn(request.build());
    }

    /** What a child printed, and how it ended. */
    public record Outcome(String out, String err, Completion completion) {
        public int code() {
            return completion.status().shellCode();
        }
    }

    public static Outcome run(SpawnRequest.Builder request) {
        try (NativeProcess process = start(request)) {
            return exchange(process, Exchange.builder().timeout(Duration.ofMinutes(2)));
        }
    }

    static Outcome exchange(NativeProcess process, Exchange.Builder exchange) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Completion completion =
                process.exchange(exchange.stdout(into(out)).stderr(into(err)).build());
        return new Outcome(out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), completion);
    }

    static OutputSink into(ByteArrayOutputStream target) {
        return (buffer, offset, length) -> {
            target.write(buffer, offset, length);
            return Demand.MORE;
        };
    }
}
