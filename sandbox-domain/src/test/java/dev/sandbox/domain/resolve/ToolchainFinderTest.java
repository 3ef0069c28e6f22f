package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.Toolchains;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolchainFinderTest {
    private static final String HOME = "/home/user/";

    private final FakeFileSystem files = FakeFileSystem.linux();
    private final Map<String, String> environment = new LinkedHashMap<>(Map.of("HOME", "/home/user"));

    private List<Toolchain> onPath(String path) {
        environment.put("PATH", path);
        return new ToolchainFinder(environment, files).onPath();
    }

    private List<String> grants(String path) {
        return onPath(path).stream()
                .flatMap(tool -> tool.grants().keySet().stream())
                .map(AbsolutePath::toString)
                .toList();
    }

    private AccessOracle oracle(SandboxPolicy.Builder policy, String path) {
        Host host = Host.standard(files);
        return new AccessOracle(
                PolicyResolver.resolve(
                        policy.baseDir(AbsolutePath.of("/w"))
                                .toolchains(Toolchains.PATH)
                                .build(),
                        host,
                        onPath(path)),
                host);
    }

    @ParameterizedTest
    @CsvSource({
        ".pyenv/shims, .pyenv/shims/python3, pyenv",
        ".pyenv/shims, .pyenv/versions/3.12.1/lib/os.py, pyenv",
        ".nvm/versions/node/v20.1.0/bin, .nvm/versions/node/v20.1.0/lib/node_modules/npm/x.js, nvm",
        ".local/share/fnm/node-versions/v20/installation/bin, .local/share/fnm/node-versions/v20/installation/lib/x, fnm",
        ".volta/bin, .volta/tools/image/node/20.1.0/bin/node, volta",
        ".cargo/bin, .cargo/bin/cargo, cargo",
        ".cargo/bin, .rustup/toolchains/stable/bin/cargo, cargo",
        ".sdkman/candidates/java/17/bin, .sdkman/candidates/java/17/lib/modules, sdkman",
        ".asdf/shims, .asdf/installs/ruby/3.2/bin/ruby, asdf",
        ".local/share/mise/installs/node/20/bin, .local/share/mise/installs/node/20/lib/x, mise",
        "miniconda3/envs/a/bin, miniconda3/envs/a/lib/x, conda",
        "go/bin, go/bin/gopls, go",
        "sdk/go1.22/bin, sdk/go1.22/src/fmt/print.go, go",
        ".bun/bin, .bun/bin/bun, bun",
        ".deno/bin, .deno/bin/deno, deno",
        ".linuxbrew/bin, .linuxbrew/Cellar/jq/1.7/bin/jq, linuxbrew"
    })
    void aToolOnThePathMayBeReadAndExecutedAndNeverWritten(String entry, String needed, String tool) {
        files.file(HOME + needed);
        files.directory(HOME + entry);
        AccessOracle oracle = oracle(SandboxPolicy.builder(), HOME + entry);
        assertThat(onPath(HOME + entry).get(0).tool()).isEqualTo(tool);
        assertThat(oracle.allows(AbsolutePath.of(HOME + needed), Operation.EXEC))
                .isTrue();
        assertThat(oracle.allows(AbsolutePath.of(HOME + needed), Operation.WRITE))
                .isFalse();
        assertThat(oracle.allows(AbsolutePath.of(HOME + entry + "/new"), Operation.CREATE))
                .isFalse();
        assertThat(oracle.allows(AbsolutePath.of(HOME + ".ssh"), Operation.LIST))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        ".cargo/bin, .cargo/credentials.toml",
        ".cargo/bin, .cargo/config.toml",
        ".nvm/versions/node/v20/bin, .nvm/versions/node/v20/etc/npmrc",
        ".pyenv/shims, .pyenv/versions/3.12/pip.conf",
        "miniconda3/bin, miniconda3/.condarc",
        "miniconda3/bin, miniconda3/conda-meta/a.json",
        ".sdkman/candidates/maven/3.9/bin, .sdkman/candidates/maven/3.9/conf/settings.xml",
        ".bun/bin, .bun/install/cache/x",
        "go/bin, go/pkg/mod/private.example/x.go",
        ".linuxbrew/bin, .linuxbrew/etc/secret.conf"
    })
    void aToolsSettingsAndCredentialsStayClosed(String entry, String secret) {
        files.file(HOME + secret);
        files.directory(HOME + entry);
        AccessOracle oracle = oracle(SandboxPolicy.builder(), HOME + entry);
        assertThat(onPath(HOME + entry)).isNotEmpty();
        assertThat(oracle.allows(AbsolutePath.of(HOME + secret), Operation.READ))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/home",
                "/home/user",
                "/home/user/",
                "/tmp",
                "/var/tmp",
                "/dev/shm",
                "/home/user/.ssh",
                ".",
                "",
                "/home/user/.cargo",
                "/home/user/.cargo/bin/..",
                "../.cargo/bin",
                "/home/user/.local/bin",
                "/none/bin"
            })
    void anyOtherEntryGivesNothing(String entry) {
        files.directory(HOME + ".cargo/bin").directory(HOME + ".ssh").directory(HOME + ".local/bin");
        assertThat(onPath(entry)).isEmpty();
    }

    @Test
    void aFolderThatIsALinkGivesNothing() {
        files.file("/secret/bin/key").file(HOME + ".ssh/id").symlink(HOME + ".cargo", "/secret");
        assertThat(onPath(HOME + ".cargo/bin")).isEmpty();
        files.directory(HOME + ".deno").symlink(HOME + ".deno/bin", HOME + ".ssh");
        assertThat(onPath(HOME + ".deno/bin")).isEmpty();
        files.file(HOME + "private/bin/key").symlink(HOME + ".bun", HOME + "private");
        assertThat(onPath(HOME + ".bun/bin")).isEmpty();
    }

    @Test
    void aLinkInsideATheToolsFolderGivesNothingElsewhere() {
        files.file(HOME + ".ssh/id")
                .directory(HOME + ".pyenv/shims")
                .symlink(HOME + ".pyenv/libexec", HOME + ".ssh")
                .directory(HOME + ".pyenv/versions")
                .symlink(HOME + ".pyenv/versions/3", HOME + ".ssh");
        assertThat(grants(HOME + ".pyenv/shims")).containsExactly(HOME + ".pyenv/shims");
        assertThat(oracle(SandboxPolicy.builder(), HOME + ".pyenv/shims")
                        .allows(AbsolutePath.of(HOME + ".ssh/id"), Operation.READ))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/home", "/home/user", "/tmp", "/var/tmp", "relative", ""})
    void aVariableThatNamesAWideFolderGivesNothing(String root) {
        environment.put("PYENV_ROOT", root);
        files.directory("/tmp/shims")
                .directory("/shims")
                .directory("/home/shims")
                .directory(HOME + "shims");
        assertThat(onPath("/shims:/home/shims:/home/user/shims:/tmp/shims")).isEmpty();
    }

    @Test
    void aFolderThatAnotherAccountMayHaveFilledGivesNothing() {
        files.details().caller(new Identity(1000, 1000));
        files.directory("/srv/py/shims");
        environment.put("PYENV_ROOT", "/srv/py");
        files.details().owner("/srv/py", new Identity(1000, 1000), 0755);
        assertThat(onPath("/srv/py/shims")).hasSize(1);
        files.details().owner("/srv/py", new Identity(1001, 1001), 0755);
        assertThat(onPath("/srv/py/shims")).isEmpty();
        files.details().owner("/srv/py", new Identity(1000, 1000), 0777);
        assertThat(onPath("/srv/py/shims")).isEmpty();
    }

    @Test
    void aBlockWins() {
        files.file(HOME + ".cargo/bin/cargo");
        assertThat(oracle(SandboxPolicy.builder().addBlockedPaths(HOME + ".cargo"), HOME + ".cargo/bin")
                        .allows(AbsolutePath.of(HOME + ".cargo/bin/cargo"), Operation.EXEC))
                .isFalse();
    }

    @Test
    void rustupIsToldItsFolder() {
        files.directory(HOME + ".cargo/bin").directory(HOME + ".rustup/toolchains");
        assertThat(onPath(HOME + ".cargo/bin"))
                .extracting(Toolchain::variables)
                .containsExactly(Map.of(), Map.of("RUSTUP_HOME", HOME + ".rustup"));
    }
}
