package dev.sandbox.app.cli;

import dev.sandbox.app.http.SandboxServer;
import dev.sandbox.app.http.ServerSettings;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** A server in the foreground. A class of its own, so that no other command loads what it needs. */
final class Serving {
    private final ServerSettings settings;
    private final SandboxPolicy standard;
    private final Supplier<StandardSandbox> maker;

    Serving(ServerSettings settings, SandboxPolicy standard, Supplier<StandardSandbox> maker) {
        this.settings = settings;
        this.standard = standard;
        this.maker = maker;
    }

    /** Serves until SIGTERM or SIGINT; then the process ends with 0, after the running steps. */
    void untilStopped() {
        SandboxServer server = SandboxServer.start(settings, standard, maker, Version.number(), System.out);
        System.err.println("sandbox: listening on " + server.url());
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            server.close();
                            System.out.flush();
                            Runtime.getRuntime().halt(0);
                        },
                        "sandbox-stop"));
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
