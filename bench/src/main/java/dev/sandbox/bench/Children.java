package dev.sandbox.bench;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.SpawnRequest;
import java.util.ArrayList;
import java.util.List;

/** What the sandbox is measured beside: children through the same pipes, without it. */
final class Children {
    private static final OutputSink NOWHERE = (buffer, offset, length) -> OutputSink.Demand.MORE;
    private static final Exchange EXCHANGE =
            Exchange.builder().stdout(NOWHERE).stderr(NOWHERE).build();

    private final ConfinedSpawn spawn = new ConfinedSpawn();

    Completion run(List<String> argv) {
        SpawnRequest request = SpawnRequest.builder()
                .addPrograms(argv.get(0))
                .argv(argv)
                .workingDirectory("/")
                .marker("bench-" + System.nanoTime())
                .build();
        try (NativeProcess process = spawn.spawn(request)) {
            return process.exchange(EXCHANGE);
        }
    }

    /** {@code /bin/true} in a view comparable to the baseline of a policy, with more mounts. */
    Completion bubblewrap(List<String> mounts) {
        List<String> argv = new ArrayList<>(bubblewrapArguments("/usr/bin/bwrap"));
        argv.addAll(mounts);
        argv.add("/bin/true");
        return run(argv);
    }

    static List<String> bubblewrapArguments(String bwrap) {
        return List.of(
                bwrap,
                "--ro-bind",
                "/usr",
                "/usr",
                "--symlink",
                "usr/bin",
                "/bin",
                "--symlink",
                "usr/lib",
                "/lib",
                "--symlink",
                "usr/lib64",
                "/lib64",
                "--ro-bind",
                "/etc",
                "/etc",
                "--dev",
                "/dev",
                "--proc",
                "/proc",
                "--unshare-pid",
                "--die-with-parent");
    }
}
