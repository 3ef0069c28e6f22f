package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Guice;
import com.google.inject.Injector;
import dev.sandbox.app.selftest.Outcome;
import dev.sandbox.app.selftest.Selftest;
import dev.sandbox.app.selftest.SelftestReport;
import dev.sandbox.core.SandboxModule;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.landlock.LandlockBackend;
import dev.sandbox.landlock.LandlockModule;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.spawn.Spawner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The escape attempts fail where they must, and succeed as soon as one layer of the enforcement is taken away. */
final class SelftestIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String IMAGE = "sandbox-test-busybox";

    @TempDir
    private Path folder;

    static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /** Says that it did what it did not do, once the backend has proved itself. */
    @Test
    void nothingIsBrokenOnAnyNativeBackend() throws IOException {
        JsonNode report = selftest("--json");

        for (JsonNode backend : report.path("backends")) {
            if (!backend.path("name").asText().equals("docker")) {
                assertThat(backend.path("usable").asBoolean())
                        .as(backend.toString())
                        .isTrue();
                assertThat(untried(report, backend.path("name").asText()))
                        .as(report.toPrettyString())
                        .isSubsetOf("fs.loader", "fs.loader_unexecutable", "fs.xattr", "net.dns");
            }
        }
        assertThat(report.path("passed").asBoolean()).as(broken(report)).isTrue();
    }

    @Test
    void nothingIsBrokenInContainers() throws IOException {
        Sandboxed.Outcome outcome = sandbox().run("selftest", "--backend", "docker", "--image", IMAGE, "--json");
        assumeTrue(outcome.code() != 125, "needs a container engine with the image " + IMAGE + ": " + outcome.err());
        JsonNode report = JSON.readTree(outcome.out());

        assumeTrue(
                !report.at("/probes/0/results/docker/outcome").asText().equals("refused"),
                "needs a container engine with the image " + IMAGE);
        assertThat(report.path("passed").asBoolean()).as(broken(report)).isTrue();
        assertThat(untried(report, "docker")).isSubsetOf("fs.loader", "fs.loader_unexecutable", "fs.xattr", "net.dns");
    }

    @Test
    void withoutLandlockFilesAndProcessesLieOpen() throws IOException {
        assertThat(brokenWithout(Set.of("restrict_self")))
                .contains(
                        "fs.read",
                        "fs.list",
                        "fs.dotdot",
                        "fs.symlink_read",
                        "fs.symlink_race",
                        "fs.open_path",
                        "fs.exec",
                        "fs.write",
                        "fs.create",
                        "fs.delete",
                        "fs.rename_out",
                        "fs.rename_over",
                        "fs.truncate",
                        "fs.readonly_write",
                        "fs.readonly_hard_link",
                        "proc.signal");
    }

    @Test
    void withoutSeccompTheKernelLiesOpenAndTheNetworkToo() throws IOException {
        assertThat(brokenWithout(Set.of("seccomp")))
                .contains(
                        "kernel.io_uring",
                        "kernel.keyctl",
                        "kernel.tiocsti",
                        "kernel.tiocsti_high",
                        "kernel.fanotify",
                        "fs.set_uid",
                        "fs.set_uid_chmod",
                        "ns.userns",
                        "net.udp");
    }

    @Test
    @EnabledIf(value = "isRoot", disabledReason = "needs root: an ordinary user has no capabilities to keep")
    void withItsCapabilitiesAStepOfRootDoesAsItLikes() throws IOException {
        assertThat(brokenWithout(Set.of(
                        "set the securebits",
                        "drop capability ",
                        "clear the ambient",
                        "disarm the capabilities",
                        "no new privileges",
                        "drop the capabilities")))
                .contains("ns.setuid", "ns.chown"); // the filter still denies chroot, and Landlock devices
    }

    @Test
    void withItsDescriptorsAStepReadsWhatTheCallerHasOpen() throws IOException {
        assertThat(brokenWithout(Set.of("close the other descriptors"))).contains("fs.descriptor");
    }

    @Test
    void theMatrixIsForPeople() {
        Sandboxed.Outcome outcome = sandbox().run("selftest", "--backend", "landlock");

        assertThat(outcome.code()).as(outcome.out()).isZero();
        assertThat(outcome.out())
                .startsWith("probe                      landlock  attempt\n")
                .contains("fs.read                    held      read a file\n", "open, as documented\n", " 0 broken,");
    }

    @Test
    void aBackendThatCannotBeUsedIsRefused() {
        Sandboxed.Outcome outcome =
                sandbox().with("DOCKER_HOST", "unix:///nowhere").run("selftest", "--backend", "docker");

        assertThat(outcome.code()).isEqualTo(125);
        assertThat(outcome.err())
                .startsWith("SANDBOX_UNAVAILABLE: selftest: docker: ")
                .hasLineCount(1);
    }

    /** By the beginnings of the entries that a step's program then lacks, once the backend has proved itself. */
    private List<String> brokenWithout(Set<String> entries) throws IOException {
        Map<String, String> environment =
                Map.of("PATH", "/usr/bin:/bin", Selftest.SECRET_NAME, Selftest.SECRET, Selftest.LOADER_NAME, "1");
        AtomicBoolean lies = new AtomicBoolean();
        Spawner spawner = Spawner.leavingOutForTests(
                entry -> lies.get() && entries.stream().anyMatch(entry.name()::startsWith));
        Injector wired = Guice.createInjector(new SandboxModule(environment, new LandlockModule()));
        LandlockBackend backend = new LandlockBackend(
                LinuxSyscalls.host(),
                wired.getInstance(Host.class),
                wired.getInstance(HostFiles.class),
                () -> new ConfinedSpawn(spawner));
        StandardSandbox sandbox = new StandardSandbox(
                wired.getInstance(Host.class),
                wired.getInstance(HostFiles.class),
                environment,
                List.of(backend),
                System::nanoTime);
        assertThat(backend.assess().isUsable()).isTrue();
        lies.set(true);

        SelftestReport report = new Selftest(sandbox, Optional.empty()).run(sandbox.backends());

        assertThat(report.isPassed()).isFalse();
        return report.ids(BackendName.LANDLOCK, Outcome.Kind.BROKEN);
    }

    private JsonNode selftest(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("selftest"));
        arguments.addAll(List.of(options));
        return JSON.readTree(
                sandbox().with("DOCKER_HOST", "unix:///nowhere").run(arguments).out());
    }

    private Sandboxed sandbox() {
        Sandboxed sandbox = Sandboxed.from(folder);
        String engine = System.getenv("DOCKER_HOST");
        return engine == null ? sandbox : sandbox.with("DOCKER_HOST", engine);
    }

    private static List<String> untried(JsonNode report, String backend) {
        return probes(report, backend, "untried");
    }

    private static List<String> probes(JsonNode report, String backend, String outcome) {
        List<String> ids = new ArrayList<>();
        for (JsonNode probe : report.path("probes")) {
            if (probe.path("results").path(backend).path("outcome").asText().equals(outcome)) {
                ids.add(probe.path("id").asText());
            }
        }
        return ids;
    }

    private static String broken(JsonNode report) {
        StringBuilder text = new StringBuilder();
        for (JsonNode probe : report.path("probes")) {
            if (probe.path("results").toString().contains("broken")) {
                text.append(probe).append('\n');
            }
        }
        return text.toString();
    }
}
