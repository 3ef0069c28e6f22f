package dev.sandbox.app.cli;

import java.util.List;

/**
 * Some runs in one JVM, by which {@code sandbox-archive} learns the classes of a run; how they end does not matter. In one JVM, since it
 * writes down only what it has loaded itself, and people's runs take either backend.
 */
final class ArchiveTraining {
    /** The system property that asks for it: a policy's file. */
    static final String PROPERTY = "sandbox.training";

    private static final List<String> BACKENDS = List.of("mountns", "landlock");

    private ArchiveTraining() {}

    static int run(String policy) {
        int last = 0;
        for (String backend : BACKENDS) {
            last = Main.execute("run", "--backend", backend, "--", "true");
            last = Main.execute("run", "--backend", backend, "--policy", policy, "--json", "-c", "true");
            last = Main.execute(
                    "run", "--backend", backend, "--read", ".", "-c", "echo word; cat /root/.profile; exit 1");
        }
        return last;
    }
}
