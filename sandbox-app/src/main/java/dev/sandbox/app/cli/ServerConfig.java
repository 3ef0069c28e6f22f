package dev.sandbox.app.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sandbox.app.config.DocumentProblem;
import dev.sandbox.app.config.Nearest;
import dev.sandbox.app.config.Quantity;
import dev.sandbox.app.http.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server's configuration, gathered: flags win over variables, those over the file, that over the defaults. */
final class ServerConfig {
    static final String TOKEN = "SANDBOX_API_TOKEN";

    private static final int LARGEST_BODY = 256 << 20;

    private final Map<ServerKey, Value> values = new EnumMap<>(ServerKey.class);
    private final Optional<String> token;

    private record Value(List<String> texts, String source) {
        /** A flag and a variable are the key themselves. */
        String place(ServerKey key) {
            boolean named = source.equals(key.flag()) || source.equals(key.variable());
            return named ? source : source + ": " + key.id();
        }
    }

    private ServerConfig(Optional<String> token) {
        this.token = token;
    }

    /**
     * Gathers it.
     *
     * @throws UsageException when a value or the file is wrong
     */
    static ServerConfig of(Map<ServerKey, List<String>> flags, Map<String, String> environment, @Nullable Path file) {
        ServerConfig config =
                new ServerConfig(Optional.ofNullable(environment.get(TOKEN)).filter(text -> !text.isEmpty()));
        for (ServerKey key : ServerKey.values()) {
            config.values.put(key, new Value(key.usual(), "default"));
        }
        if (file != null) {
            config.read(file);
        }
        for (ServerKey key : ServerKey.values()) {
            String text = environment.get(key.variable());
            if (text != null && !text.isEmpty()) {
                List<String> texts = key.isList() ? Arrays.asList(text.split(key.separator())) : List.of(text);
                config.values.put(key, new Value(texts, key.variable()));
            }
        }
        flags.forEach((key, texts) -> config.values.put(key, new Value(texts, key.flag())));
        return config;
    }

    private void read(Path file) {
        JsonNode document;
        try {
            document = YAMLMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build()
                    .readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new UsageException("--server-config: \"" + file + "\" cannot be parsed" + DocumentProblem.of(e));
        } catch (IOException e) {
            throw new UsageException("--server-config: \"" + file + "\" cannot be read");
        }
        if (!document.isObject()) {
            throw new UsageException("--server-config: \"" + file + "\" is no mapping of keys");
        }
        List<String> known =
                Arrays.stream(ServerKey.values()).map(ServerKey::id).toList();
        document.properties().forEach(entry -> {
            ServerKey key = Arrays.stream(ServerKey.values())
                    .filter(candidate -> candidate.id().equals(entry.getKey()))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(file + ": " + entry.getKey() + ": is not a key; "
                            + Nearest.hint("", known, entry.getKey())));
            values.put(key, new Value(texts(file, key, entry.getValue()), file.toString()));
        });
    }

    private static List<String> texts(Path file, ServerKey key, JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node.isArray() && key.isList()) {
            node.forEach(entry -> texts.addAll(texts(file, key, entry)));
        } else if (node.isTextual() || node.isIntegralNumber()) {
            texts.add(node.asText());
        } else if (!node.isNull()) {
            throw new UsageException(
                    file + ": " + key.id() + ": is not a text" + (key.isList() ? ", nor a list of texts" : ""));
        }
        return texts;
    }

    List<String> texts(ServerKey key) {
        return value(key).texts();
    }

    private Value value(ServerKey key) {
        return values.getOrDefault(key, new Value(List.of(), "default"));
    }

    Optional<String> text(ServerKey key) {
        return texts(key).stream().reduce((first, last) -> last);
    }

    ServerSettings settings() {
        ServerSettings.Builder settings = ServerSettings.builder()
                .host(one(ServerKey.HOST, ServerConfig::notEmpty))
                .port(number(ServerKey.PORT, 0, 65_535))
                .allowedHosts(texts(ServerKey.ALLOWED_HOST))
                .allowOutside(texts(ServerKey.ALLOW_OUTSIDE).stream()
                        .map(text -> Path.of(text).toAbsolutePath().normalize())
                        .toList())
                .extraEnvironment(texts(ServerKey.EXTRA_ENV))
                .usualTimeout(one(ServerKey.DEFAULT_TIMEOUT, Quantity::duration))
                .longestTimeout(one(ServerKey.MAX_TIMEOUT, Quantity::duration))
                .maxRunning(number(ServerKey.MAX_RUNNING, 1, 4096))
                .maxWaiting(number(ServerKey.MAX_WAITING, 0, 4096))
                .patience(one(ServerKey.PATIENCE, Quantity::duration))
                .maxBody(one(ServerKey.MAX_BODY, ServerConfig::body))
                .maxConnections(number(ServerKey.MAX_CONNECTIONS, 1, 1_000_000))
                .idleTimeout(one(ServerKey.IDLE_TIMEOUT, Quantity::duration))
                .stopTimeout(one(ServerKey.STOP_TIMEOUT, Quantity::duration))
                .token(token);
        text(ServerKey.TOKEN_FILE).map(Path::of).ifPresent(settings::tokenFile);
        return settings.build();
    }

    private <T> T one(ServerKey key, Function<String, T> reader) {
        Value value = value(key);
        try {
            return reader.apply(text(key).orElse(""));
        } catch (IllegalArgumentException e) {
            throw new UsageException(value.place(key) + ": " + e.getMessage());
        }
    }

    private static String notEmpty(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("is empty; give a name or an address, such as 127.0.0.1");
        }
        return text;
    }

    private static int body(String text) {
        long bytes = Quantity.bytes(text);
        if (bytes == 0 || bytes > LARGEST_BODY) {
            throw new IllegalArgumentException("\"" + text + "\" is not a size from 1 byte to 256MiB");
        }
        return (int) bytes;
    }

    private int number(ServerKey key, int least, int most) {
        return one(key, text -> {
            if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" is not a whole number from " + least + " to " + most);
            }
            return Integer.parseInt(text);
        });
    }

    /** As a file would have it, with where each value comes from. The token is not shown. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        values.forEach((key, value) -> {
            String shown = value.texts().stream()
                    .map(ServerConfig::quoted)
                    .reduce((a, b) -> a + ", " + b)
                    .orElse("");
            String text = key.isList() ? "[" + shown + "]" : shown.isEmpty() ? "null" : shown;
            lines.add(key.id() + ": " + text + " # " + value.source());
        });
        token.ifPresent(secret -> lines.add("# token: ******** from " + TOKEN));
        return lines;
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9/._-]+") ? text : "'" + text.replace("'", "''") + "'";
    }
}
