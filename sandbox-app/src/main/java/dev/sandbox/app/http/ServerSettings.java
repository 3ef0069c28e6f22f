package dev.sandbox.app.http;

import dev.sandbox.app.service.ExtraEnvironment;
import dev.sandbox.domain.ValueStyle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/** How a server listens and what it bears. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class ServerSettings {
    /** Where it listens: a name or an address. */
    @Value.Default
    public String host() {
        return "127.0.0.1";
    }

    /** Where it listens; 0: any free port. */
    @Value.Default
    public int port() {
        return 8787;
    }

    /** Further names under which it may be addressed. */
    public abstract List<String> allowedHosts();

    /** The file with the token. */
    public abstract Optional<Path> tokenFile();

    /** The token itself, from the environment. Secret: never printed. */
    @Value.Redacted
    public abstract Optional<String> token();

    /** Folders outside base_dir where the paths of requests may lie. */
    public abstract List<Path> allowOutside();

    /** Names, and prefixes that end in {@code *}, of the variables that requests may set. */
    @Value.Default
    public List<String> extraEnvironment() {
        return ExtraEnvironment.USUAL;
    }

    /** Time for a step whose request names none. */
    @Value.Default
    public Duration usualTimeout() {
        return Duration.ofSeconds(60);
    }

    /** Time that a request may name. */
    @Value.Default
    public Duration longestTimeout() {
        return Duration.ofHours(1);
    }

    /** Steps at once. */
    @Value.Default
    public int maxRunning() {
        return 16;
    }

    /** Requests that wait for their turn. */
    @Value.Default
    public int maxWaiting() {
        return 64;
    }

    /** How long one waits. */
    @Value.Default
    public Duration patience() {
        return Duration.ofSeconds(10);
    }

    /** Bytes of a request's body. */
    @Value.Default
    public int maxBody() {
        return 1 << 20;
    }

    /** Connections at once. */
    @Value.Default
    public int maxConnections() {
        return 1024;
    }

    /** How long a connection may be silent while the server waits for it. */
    @Value.Default
    public Duration idleTimeout() {
        return Duration.ofSeconds(15);
    }

    /** How long running steps may go on after SIGTERM. */
    @Value.Default
    public Duration stopTimeout() {
        return Duration.ofSeconds(30);
    }

    /** Settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link ServerSettings}. */
    public static final class Builder extends ImmutableServerSettings.Builder {}
}
