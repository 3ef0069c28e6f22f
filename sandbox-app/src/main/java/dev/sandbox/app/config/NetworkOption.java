package dev.sandbox.app.config;

import dev.sandbox.domain.policy.NetworkPolicy;
import java.util.Arrays;
import java.util.List;

/** The network as one word: {@code allow}, {@code none}, {@code tcp:443,80}, {@code domains:example.org}. */
public final class NetworkOption {
    private static final int LAST_PORT = 65_535;

    private NetworkOption() {}

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException for people
     */
    public static NetworkPolicy parse(String text) {
        if (text.equals("allow")) {
            return NetworkPolicy.allow();
        }
        if (text.equals("none")) {
            return NetworkPolicy.none();
        }
        if (text.startsWith("tcp:")) {
            NetworkPolicy.Builder network = NetworkPolicy.builder().mode(NetworkPolicy.Mode.TCP);
            items(text, "tcp:").forEach(port -> network.addTcpConnect(port(port)));
            return network.build();
        }
        if (text.startsWith("domains:")) {
            return NetworkPolicy.builder()
                    .mode(NetworkPolicy.Mode.DOMAINS)
                    .domains(items(text, "domains:"))
                    .build();
        }
        throw new IllegalArgumentException("\"" + text + "\" is not allow, none, tcp:PORT,... or domains:NAME,...");
    }

    private static List<String> items(String text, String prefix) {
        List<String> items = Arrays.asList(text.substring(prefix.length()).split(",", -1));
        if (items.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("\"" + text + "\" has an empty entry");
        }
        return items;
    }

    private static int port(String text) {
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > LAST_PORT) {
            throw new IllegalArgumentException("\"" + text + "\" is not a port, 1 to 65535");
        }
        return Integer.parseInt(text);
    }
}
