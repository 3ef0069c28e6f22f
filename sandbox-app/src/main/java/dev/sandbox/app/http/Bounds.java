package dev.sandbox.app.http;

import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a server may not be started as. */
final class Bounds {
    private Bounds() {}

    /**
     * The token that clients must show.
     *
     * @throws SandboxUnavailableException when others than this machine's could come without one, or steps could read it
     */
    static Optional<ApiToken> token(ServerSettings settings, SandboxPolicy standard) {
        if (settings.tokenFile().isPresent()) {
            Path file = settings.tokenFile().get();
            ApiToken token = ApiToken.inFile(file);
            requireHidden(file, settings, standard);
            return Optional.of(token);
        }
        if (settings.token().isPresent()) {
            return settings.token().map(ApiToken::fixed);
        }
        if (!isLoopback(settings.host())) {
            throw new SandboxUnavailableException(
                    "--host",
                    "\"" + settings.host() + "\" is not loopback, and without a token anybody there could run commands",
                    "add --token-file FILE, or set SANDBOX_API_TOKEN");
        }
        return Optional.empty();
    }

    private static boolean isLoopback(String host) {
        try {
            InetAddress[] all = InetAddress.getAllByName(host);
            return all.length > 0 && Arrays.stream(all).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            throw new SandboxUnavailableException(
                    "--host", "\"" + host + "\" is not known", "name an address of this host");
        }
    }

    /** In base_dir a request could grant it to its own step. */
    private static void requireHidden(Path file, ServerSettings settings, SandboxPolicy standard) {
        List<Path> reachable = Stream.concat(
                        Stream.of(Path.of(standard.baseDir().toString())), settings.allowOutside().stream())
                .toList();
        try {
            Path real = file.toRealPath();
            for (Path folder : reachable) {
                if (real.startsWith(folder.toRealPath())) {
                    throw new SandboxUnavailableException(
                            "--token-file",
                            "\"" + file + "\" lies where steps may read it",
                            "keep it outside " + folder);
                }
            }
        } catch (IOException e) {
            throw new SandboxUnavailableException(
                    "--token-file",
                    "\"" + file + "\" or a folder that is served cannot be examined",
                    "name existing ones");
        }
    }
}
