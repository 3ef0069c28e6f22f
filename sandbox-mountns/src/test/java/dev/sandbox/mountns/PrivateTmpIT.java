package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.mountns.Box.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one step does to its session's private {@code /tmp} leads no mount of the next one astray. */
class PrivateTmpIT {
    private final Box box = new Box(Box.backend(Privilege.ofThisProcess()));
    private Path grants;
    private Path victim;

    @BeforeEach
    void makeAGrantBelowTmp() throws IOException {
        grants = Files.createTempDirectory(Path.of("/tmp"), "grants-").toRealPath();
        Files.createDirectory(grants.resolve("folder"));
        Files.writeString(grants.resolve("file"), "granted");
        victim = Files.createDirectory(box.folder.resolve("victim"));
    }

    @AfterEach
    void close() throws IOException {
        for (String name : List.of("folder", "file", "")) {
            Files.delete(grants.resolve(name));
        }
        box.close();
    }

    private SandboxPolicy policy(String grant) {
        return SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(box.folder.toString()))
                .addReadPaths(grants.resolve(grant).toString())
                .build();
    }

    private static Result step(IsolationSession session, String text) {
        try (SandboxedProcess process = session.start(StepRequest.piped(Command.shell(text)))) {
            return Box.finish(process);
        }
    }

    private static MountNamespaceBackend backend(Privilege privilege) {
        assumeTrue(
                privilege == Privilege.USER_NAMESPACE || Privilege.ofThisProcess() == Privilege.MOUNTS,
                "needs root: this account has no CAP_SYS_ADMIN");
        return Box.backend(privilege);
    }

    /** The folder above the mount point is the step's own, and no mount point: it may be replaced. */
    @ParameterizedTest
    @EnumSource(Privilege.class)
    void aLinkInThePlaceOfAFolderMakesNothingOnTheHost(Privilege privilege) {
        for (String grant : List.of("folder", "file")) {
            try (IsolationSession session = backend(privilege).open(Box.request(policy(grant)))) {
                String replace = "mv %1$s /tmp/aside && ln -s %2$s%3$s %1$s && echo replaced"
                        .formatted(grants, MountProgram.HOST, victim);
                assertThat(step(session, replace).stdout()).isEqualTo("replaced\n");
                assertThatThrownBy(() -> step(session, "true"))
                        .isInstanceOf(SandboxUnavailableException.class)
                        .hasMessageContaining(grants.toString())
                        .hasMessageContaining("symbolic link");
            }
            assertThat(victim).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @EnumSource(Privilege.class)
    void anotherFileInThePlaceOfAMountPointRefusesTheNextStep(Privilege privilege) {
        try (IsolationSession session = backend(privilege).open(Box.request(policy("folder")))) {
            String replace = "mv %1$s /tmp/aside && mkdir %1$s && ln -s %2$s%3$s %1$s/folder && echo replaced"
                    .formatted(grants, MountProgram.HOST, victim);
            assertThat(step(session, replace).stdout()).isEqualTo("replaced\n");
            assertThatThrownBy(() -> step(session, "true")).isInstanceOf(SandboxUnavailableException.class);
            assertThat(victim).isEmptyDirectory();
        }
    }
}
