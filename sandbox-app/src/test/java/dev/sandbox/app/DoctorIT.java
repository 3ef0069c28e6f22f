package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Guice;
import com.google.inject.util.Modules;
import dev.sandbox.app.cli.InProcess;
import dev.sandbox.core.SandboxModule;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.landlock.LandlockModule;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.RawSyscalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code doctor} says is true wherever it is asked: what it calls usable runs a command there, what it does not refuses to, and
 * what it tells of the host is what the host says.
 */
final class DoctorIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NOBODY = "65534";
    /** What mounts and makes namespaces; mount itself last. */
    private static final String HIDE =
            "for tool in unshare nsenter mount; do mount --bind /dev/null /usr/bin/$tool || exit; done; exec \"$@\"";

    @TempDir
    private Path folder;

    private Path program = Path.of("");

    static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /** Another account may not look into a checkout: the product is copied to where it may. */
    @BeforeEach
    void install() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path to = folder.resolve("product");
        try (Stream<Path> files = Files.walk(Sandboxed.PRODUCT)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(Sandboxed.PRODUCT.relativize(file).toString()));
            }
        }
        program = to.resolve("bin/sandbox");
        Path work = Files.createDirectory(folder.resolve("work"));
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void asThisUser() throws IOException {
        JsonNode doctor = trueUnder();

        assertThat(doctor.at("/host/uid").asText())
                .isEqualTo(Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString());
        assertThat(doctor.at("/usable").asBoolean()).isTrue();
        if (backend(doctor, "mountns").path("usable").asBoolean()) {
            assertThat(backend(doctor, "mountns").path("detail").asText())
                    .startsWith(
                            isRoot() ? "mount namespaces over Landlock" : "user and mount namespaces over Landlock");
        }
    }

    @Test
    @EnabledIf(value = "isRoot", disabledReason = "needs root: only root becomes another user")
    void asAnOrdinaryUser() throws IOException {
        JsonNode doctor = trueUnder(becomingNobody());

        assertThat(doctor.at("/host/uid").asText()).isEqualTo(NOBODY);
        assertThat(doctor.at("/host/capabilities").asText()).matches("0+");
        assertThat(backend(doctor, "landlock").path("usable").asBoolean()).isTrue();
        assertThat(backend(doctor, "mountns").path("detail").asText()).doesNotStartWith("mount namespaces");
    }

    @Test
    void inANetworkNamespace() throws IOException {
        String[] wrapper = inNamespaces("--net");

        JsonNode doctor = trueUnder(wrapper);

        assertThat(backend(doctor, "landlock").at("/guarantees/net.none/held").asBoolean())
                .isTrue();
        Sandboxed.Outcome run = sandbox(wrapper).run(run("landlock", "--network", "none"));
        assertThat(run.code()).as(run.err()).isZero();
    }

    @Test
    void insideItsOwnLandlock() throws IOException {
        JsonNode doctor = trueUnder(itself("landlock", "--proc", "all"));

        assertThat(doctor.at("/host/no_new_privs").asText()).isEqualTo("1");
        assertThat(doctor.at("/host/capabilities").asText()).matches("0+");
        assertThat(backend(doctor, "landlock").path("usable").asBoolean()).isTrue();
        // Landlock forbids every mount to whom it restricts.
        assertThat(backend(doctor, "mountns").path("usable").asBoolean()).isFalse();
    }

    /** Without /proc no backend can see to the end of what it starts; and what stands there may not be made up. */
    @Test
    void insideItsOwnLandlockWithoutProc() throws IOException {
        JsonNode doctor = trueUnder(itself("landlock", "--proc", "none"));

        for (String fact : List.of("uid", "capabilities", "no_new_privs", "seccomp")) {
            assertThat(doctor.at("/host/" + fact).asText()).as(fact).isEqualTo("unknown");
        }
        assertThat(doctor.at("/host/user_namespaces").asText()).startsWith("cannot be made: ");
        assertThat(doctor.path("usable").asBoolean()).isFalse();
        assertThat(backend(doctor, "landlock").path("detail").asText()).contains("open(/proc): Permission denied");
        assertThat(backend(doctor, "landlock").at("/guarantees/fs.read/remedy").asText())
                .contains("proc: self");
    }

    @Test
    void insideItsOwnMountNamespace() throws IOException {
        assumeTrue(backend(doctor(), "mountns").path("usable").asBoolean(), "needs user namespaces");

        JsonNode doctor = trueUnder(itself("mountns"));

        assertThat(doctor.at("/host/no_new_privs").asText()).isEqualTo("1");
        assertThat(doctor.at("/host/capabilities").asText()).matches("0+");
        assertThat(backend(doctor, "landlock").path("usable").asBoolean()).isTrue();
    }

    @Test
    void withoutTheProgramsOfUtilLinuxThereAreMountNamespacesAllTheSame() throws IOException {
        // The ordinary user first: what root leaves in the folder is not this account's to write.
        if (isRoot()) {
            JsonNode asNobody = trueUnder(join(hidingUtilLinux(), becomingNobody()));
            assertThat(backend(asNobody, "mountns").path("detail").asText()).startsWith("user and mount namespaces");
        }
        JsonNode hidden = trueUnder(hidingUtilLinux());
        assertThat(backend(hidden, "mountns").path("usable").asBoolean())
                .isEqualTo(backend(doctor(), "mountns").path("usable").asBoolean());
    }

    @Test
    void whereNoBackendWorksItSaysSoAndExitsWith1() {
        RawSyscalls kernel = new RawSyscalls() {
            @Override
            public int landlockCreateRuleset(long attributes, long size, int flags) {
                return -38;
            }
        };
        StandardSandbox sandbox = Guice.createInjector(Modules.override(new SandboxModule(new LandlockModule()))
                        .with(binder -> binder.bind(LinuxSyscalls.class).toInstance(new LinuxSyscalls(kernel))))
                .getInstance(StandardSandbox.class);

        InProcess.Said said = InProcess.run(() -> sandbox, "doctor");

        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out())
                .contains("landlock: this kernel has no Landlock", "  no  guarantee at all; boot a kernel")
                .endsWith("This host cannot enforce the default policy.\n");
    }

    /** What doctor says there, once its claims have been held against what happens there. */
    private JsonNode trueUnder(String... wrapper) throws IOException {
        JsonNode doctor = doctor(wrapper);
        boolean usable = false;
        for (JsonNode backend : doctor.path("backends")) {
            String name = backend.path("name").asText();
            boolean carves = backend.at("/guarantees/fs.carve_out/held").asBoolean();
            Sandboxed.Outcome run =
                    sandbox(wrapper).run(carves ? run(name, "--write", ".", "--block", "secret") : run(name));
            if (backend.path("usable").asBoolean()) {
                usable = true;
                assertThat(run.code()).as("%s is usable; %s", name, run.err()).isZero();
            } else {
                assertThat(run.code()).as("%s is not usable", name).isEqualTo(125);
                assertThat(run.err()).startsWith("SANDBOX_UNAVAILABLE: " + name + ": lacks ");
            }
        }
        assertThat(doctor.path("usable").asBoolean()).isEqualTo(usable);
        if (!List.of(wrapper).contains(HIDE)) {
            Sandboxed.Outcome tried = sandbox(join(wrapper, "unshare", "--user", "--map-current-user", "true"))
                    .alone();
            assertThat(doctor.at("/host/user_namespaces").asText().equals("can be made"))
                    .as(tried.err())
                    .isEqualTo(tried.code() == 0);
        }
        return doctor;
    }

    private JsonNode doctor(String... wrapper) throws IOException {
        Sandboxed.Outcome outcome = sandbox(wrapper).run("doctor", "--json");
        assertThat(outcome.err()).isEmpty();
        JsonNode doctor = JSON.readTree(outcome.out());
        assertThat(outcome.code()).isEqualTo(doctor.path("usable").asBoolean() ? 0 : 1);
        return doctor;
    }

    private static JsonNode backend(JsonNode doctor, String name) {
        for (JsonNode backend : doctor.path("backends")) {
            if (backend.path("name").asText().equals(name)) {
                return backend;
            }
        }
        throw new AssertionError(name + " is not in " + doctor);
    }

    private Sandboxed sandbox(String... wrapper) {
        return Sandboxed.from(folder.resolve("work")).installedAt(program).under(wrapper);
    }

    private static List<String> run(String backend, String... options) {
        List<String> arguments = new ArrayList<>(List.of("run", "--backend", backend));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--", "true"));
        return arguments;
    }

    /** Under the sandbox itself, with a place to write and what the inner one is made of. */
    private String[] itself(String backend, String... options) {
        String product = folder.resolve("product").toString();
        String java = System.getProperty("java.home");
        String[] run = {program.toString(), "run", "--backend", backend, "--write", ".", "--read", product};
        String[] runtime = {"--system-path", java, "--env", "JAVA_HOME=" + java, "--"};
        return join(join(run, options), runtime);
    }

    private static String[] becomingNobody() {
        return new String[] {"setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"};
    }

    private String[] hidingUtilLinux() throws IOException {
        return join(inNamespaces("--mount"), "sh", "-c", HIDE, "hide");
    }

    /** Root needs no user namespace for it, and others keep their uid. */
    private String[] inNamespaces(String option) throws IOException {
        if (isRoot()) {
            return new String[] {"unshare", option};
        }
        String[] wrapper = {"unshare", "--user", "--map-current-user", "--keep-caps", option};
        assumeTrue(sandbox(join(wrapper, "true")).alone().code() == 0, "needs user namespaces");
        return wrapper;
    }

    private static String[] join(String[] first, String... second) {
        return Stream.of(first, second).flatMap(Stream::of).toArray(String[]::new);
    }
}
