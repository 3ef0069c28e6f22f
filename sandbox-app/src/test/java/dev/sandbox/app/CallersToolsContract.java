package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.app.Sandboxed.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a step has of its caller's tools and settings, with a HOME like a developer's. */
abstract class CallersToolsContract {
    private static final String TOKEN = "s3cr3tTokenOf40Characters0123456789abcdef";

    @TempDir(factory = ShortTempDir.class)
    private Path base;

    private Path home;

    abstract String backend();

    @BeforeEach
    void makeAHome() throws IOException {
        Files.createDirectory(base.resolve("w"));
        home = Files.createDirectory(
                base.resolve("home"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        program(".cargo/bin/only-here", "echo \"only here, $RUSTUP_HOME\"");
        program(".cargo/bin/env", "echo not the usual env");
        file(".cargo/credentials.toml", "token = \"" + TOKEN + "\"\n");
        file(".rustup/toolchains/stable/lib/x", "of rustup\n");
        file(".ssh/id", TOKEN + "\n");
        Files.createSymbolicLink(home.resolve(".cargo/bin/away"), home.resolve(".ssh/id"));
        Files.createSymbolicLink(home.resolve(".rustup/toolchains/away"), home.resolve(".ssh"));
    }

    @Test
    void aProgramThatNoGrantCoversIsNamedWithItsFolderAndTheOption() {
        String told = "only-here: is in ~/.cargo/bin, which no grant covers; --toolchains path (toolchains: path)\n";
        assertThat(run(List.of(), "--", "only-here").ended(127).err()).isEqualTo("COMMAND_NOT_FOUND: " + told);
        assertThat(run(List.of(), "-c", "only-here").ended(127).err())
                .contains(
                        "SANDBOX_NOTE: program only-here is in ~/.cargo/bin, which no grant covers; --toolchains path");
    }

    @Test
    void anotherProgramThanTheCallersIsANote() {
        assertThat(run(List.of(), "-c", "env true").ended(0).err())
                .startsWith(
                        "SANDBOX_NOTE: program env is /usr/bin/env here: the caller's own is in ~/.cargo/bin, which");
        assertThat(run(List.of(), "-c", "ls").ended(0).err()).isEmpty();
    }

    @Test
    void aProgramInAFolderOfOnesOwnIsToldAsASystemPath() throws IOException {
        program("bin/mine", "echo mine");
        Outcome outcome = caller(home.resolve("bin") + ":/usr/bin:/bin", List.of(), "--", "mine");
        assertThat(outcome.ended(127).err()).contains("; --system-path " + home.resolve("bin") + " (");
    }

    @Test
    void toolsOnThePathRunAndCannotBeWrittenNorTheirSecretsRead() {
        List<String> tools = List.of("--toolchains", "path");
        assertThat(run(tools, "--", "only-here").ended(0).out())
                .isEqualTo("only here, " + home.resolve(".rustup") + "\n");
        assertThat(run(tools, "-c", "cat \"$RUSTUP_HOME/toolchains/stable/lib/x\"")
                        .ended(0)
                        .out())
                .isEqualTo("of rustup\n");
        String h = home.toString();
        for (String attempt : List.of(
                "cat " + h + "/.cargo/credentials.toml",
                "cat " + h + "/.cargo/bin/away",
                "cat " + h + "/.rustup/toolchains/away/id",
                "cat " + h + "/.ssh/id",
                "echo x > " + h + "/.cargo/bin/only-here",
                "echo x > " + h + "/.cargo/bin/new",
                "rm " + h + "/.cargo/bin/only-here",
                "echo x > " + h + "/.rustup/toolchains/new",
                "ln " + h + "/.cargo/bin/only-here linked",
                "ls " + h)) {
            Outcome outcome = run(tools, "-c", attempt + " && echo REACHED");
            assertThat(outcome.out()).as(attempt).doesNotContain(TOKEN, "credentials.toml");
            if (!attempt.startsWith("ls ")) { // a mount namespace shows the names that it made there
                assertThat(outcome.out()).as(attempt).doesNotContain("REACHED");
            }
        }
        assertThat(home.resolve(".cargo/bin/new")).doesNotExist();
        assertThat(home.resolve(".cargo/bin/only-here")).content().startsWith("#!/bin/sh\necho \"only here");
    }

    @Test
    void widePathEntriesGiveNothing() {
        Outcome outcome = caller(
                "/:" + home + ":/tmp:/usr/bin:/bin",
                List.of("--toolchains", "path"),
                "-c",
                "cat " + home + "/.ssh/id " + home + "/.cargo/credentials.toml");
        assertThat(outcome.out()).doesNotContain(TOKEN).isEmpty();
    }

    @Test
    void mirrorsAndTheAuthorAreCarriedOverAndNoCredential() throws IOException {
        settings();
        Outcome outcome = run(
                List.of("--package-config", "inherit"),
                "-c",
                "env; cat .home/.gitconfig .home/.m2/settings.xml .cache/cargo/config.toml");
        assertThat(outcome.ended(0).out())
                .doesNotContain(TOKEN)
                .contains(
                        "PIP_INDEX_URL=https://pip.example/simple\n",
                        "npm_config_registry=https://npm.example/\n",
                        "name = \"Ada Lovelace\"",
                        "<url>https://maven.example/all</url>",
                        "source.crates-io.replace-with = \"corp\"");
    }

    @Test
    void npmAndGitUnderstandWhatIsCarriedOver() throws IOException {
        assumeTrue(Files.exists(Path.of("/usr/bin/npm")) && Files.exists(Path.of("/usr/bin/git")), "needs npm and git");
        settings();
        Outcome outcome =
                run(List.of("--package-config", "inherit"), "-c", "npm config get registry; git config user.name");
        assertThat(outcome.ended(0).out()).isEqualTo("https://npm.example/\nAda Lovelace\n");
    }

    @Test
    void settingsThatAreNotSeenAreToldOnceWhenACommandOfTheirsFails() throws IOException {
        settings();
        assertThat(run(List.of(), "-c", ": npm install; exit 3").ended(3).err())
                .containsOnlyOnce("SANDBOX_NOTE: settings of pip (~/.config/pip/pip.conf), npm (~/.npmrc), maven")
                .doesNotContain(TOKEN);
        assertThat(run(List.of(), "-c", ": npm install").ended(0).err()).isEmpty();
        assertThat(run(List.of(), "-c", "exit 3").ended(3).err())
                .as("no tool of theirs")
                .isEmpty();
        assertThat(run(List.of("--read", home.resolve(".gitconfig").toString()), "-c", ": git push; exit 3")
                        .ended(3)
                        .err())
                .contains("settings of ~/.gitconfig are granted, but HOME is private");
    }

    @Test
    void goInstallsProgramsOntoThePath() throws IOException {
        assumeTrue(Files.exists(Path.of("/usr/bin/go")), "needs golang-go");
        Path module = Files.createDirectory(base.resolve("w/hello"));
        Files.writeString(module.resolve("go.mod"), "module example.org/hello\n\ngo 1.19\n");
        Files.writeString(module.resolve("main.go"), "package main\n\nfunc main() { print(\"from go\") }\n");
        assertThat(run(List.of(), "-c", "cd hello && go install . && hello")
                        .ended(0)
                        .err())
                .endsWith("from go");
        assertThat(base.resolve("w/.local/bin/hello")).exists();
    }

    @ParameterizedTest
    @CsvSource({
        "gem, gem env gemdir, .local/gem",
        "pipx, pipx environment --value PIPX_BIN_DIR, .local/bin",
        "npm, npm config get prefix, .local",
        "go, go env GOPATH, .local/go"
    })
    void theRealToolTakesItsFolderAndComplainsOfNothing(String program, String command, String below) {
        assumeTrue(Files.exists(Path.of("/usr/bin", program)), "needs " + program);
        Outcome outcome = run(List.of(), "-c", command).ended(0);
        assertThat(outcome.out().strip())
                .endsWith(base.resolve("w").resolve(below).toString());
        assertThat(outcome.err()).doesNotContain("warn", "Unknown");
    }

    private void settings() throws IOException {
        file(
                ".config/pip/pip.conf",
                "[global]\nindex-url = https://pip.example/simple\nextra-index-url = https://u:" + TOKEN
                        + "@pip.example/x\n");
        file(".npmrc", "registry=https://npm.example/\n//npm.example/:_authToken=" + TOKEN + "\n");
        file(".gitconfig", "[user]\n\tname = Ada Lovelace\n[http]\n\textraHeader = \"X: " + TOKEN + "\"\n");
        file(
                ".m2/settings.xml",
                "<settings><servers><server><password>" + TOKEN + "</password></server></servers><mirrors>"
                        + "<mirror><id>m</id><mirrorOf>*</mirrorOf><url>https://maven.example/all</url></mirror></mirrors></settings>");
        file(
                ".cargo/config.toml",
                "[source.crates-io]\nreplace-with = \"corp\"\n[registry]\ntoken = \"" + TOKEN + "\"\n");
    }

    private Outcome run(List<String> options, String... command) {
        return caller(home.resolve(".cargo/bin") + ":/usr/bin:/bin", options, command);
    }

    private Outcome caller(String path, List<String> options, String... command) {
        List<String> arguments = new ArrayList<>(List.of("run", "--write", "w", "--workdir", "w"));
        arguments.addAll(options);
        arguments.addAll(List.of(command));
        return Sandboxed.from(base)
                .with("HOME", home.toString())
                .with("PATH", path)
                .withBackend(backend())
                .run(arguments);
    }

    private void program(String name, String text) throws IOException {
        file(name, "#!/bin/sh\n" + text + "\n");
        assertThat(home.resolve(name).toFile().setExecutable(true, false)).isTrue();
    }

    private void file(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
