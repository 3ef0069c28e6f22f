package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.app.Sandboxed.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real package managers in the sandbox, where only one folder is writable and the caller's HOME is out of reach. Python is
 * {@code /usr/bin/python3}: another one, installed below a HOME, may come first on the PATH of whoever runs these tests.
 */
abstract class PackageInstallContract {
    private static final String PYTHON = "/usr/bin/python3";
    private static final List<String> REDIRECTED = List.of(
            "HOME",
            "TMPDIR",
            "TMP",
            "TEMP",
            "XDG_CACHE_HOME",
            "PIP_CACHE_DIR",
            "PYTHONUSERBASE",
            "npm_config_cache",
            "npm_config_prefix",
            "GOCACHE",
            "GOMODCACHE",
            "CARGO_HOME",
            "GRADLE_USER_HOME",
            "UV_CACHE_DIR",
            "YARN_CACHE_FOLDER");

    @TempDir(factory = ShortTempDir.class)
    private Path base;

    abstract String backend();

    private Path granted;
    private Path home;

    @BeforeEach
    void makeAGrantAndAHomeOutOfReach() throws IOException {
        granted = Files.createDirectory(base.resolve("w"));
        home = Files.createDirectory(
                base.resolve("home"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(home.resolve(".npmrc"), "registry=http://127.0.0.1:9/\n");
        Files.writeString(home.resolve(".gitconfig"), "[user]\n\tname = from the caller's home\n");
    }

    @Test
    void aVirtualEnvironmentIsMadeAndRuns() {
        needs("python3-venv", PYTHON, "-c", "import venv, ensurepip");
        Outcome outcome = step(PYTHON + " -m venv v && v/bin/python -c 'import sys; print(sys.prefix)'")
                .ended(0);
        assertThat(outcome.out()).isEqualTo(granted.resolve("v") + "\n");
        assertThat(step("v/bin/pip --version").ended(0).out())
                .contains(granted.resolve("v").toString());
    }

    @Test
    void aLocalSourcePackageIsInstalledForTheUserAndImports() throws IOException {
        needsPip();
        needs("python3-setuptools and python3-wheel", PYTHON, "-c", "import setuptools, wheel");
        Path source = Files.createDirectories(granted.resolve("src"));
        Files.writeString(
                source.resolve("setup.py"),
                "from setuptools import setup\nsetup(name='tiny', version='1.0', py_modules=['tiny'])\n");
        Files.writeString(source.resolve("tiny.py"), "WORD = 'from tiny'\n");
        step(PYTHON + " -m pip install --quiet --user --no-index --no-build-isolation ./src")
                .ended(0);
        assertThat(step("cd .home && " + PYTHON + " -c 'import tiny; print(tiny.WORD); print(tiny.__file__)'")
                        .ended(0)
                        .out())
                .startsWith("from tiny\n" + granted.resolve(".local"));
        theHomeIsUntouched();
    }

    @Test
    void aPackageIsDownloadedFromAnIndexAndTheCacheServesTheSecondTime() throws IOException {
        needsPip();
        try (PackageIndex index = PackageIndex.start()) {
            index.add("leaf", "1.0", "WORD = 'from leaf'\n");
            index.add("stem", "2.0", "import leaf\nWORD = 'stem over ' + leaf.WORD\n", "leaf>=1.0");
            // pip caches plain HTTP only from a host that it is told to trust.
            String install = PYTHON + " -m pip install --quiet --trusted-host 127.0.0.1 --index-url " + index.url()
                    + " --target ";
            step(install + "one stem").ended(0);
            assertThat(step("PYTHONPATH=one " + PYTHON + " -c 'import stem; print(stem.WORD)'")
                            .ended(0)
                            .out())
                    .isEqualTo("stem over from leaf\n");
            assertThat(index.downloads()).containsExactlyInAnyOrder("leaf", "stem");
            assertThat(filesBelow(granted.resolve(".cache/pip"))).isNotEmpty();

            step(install + "two stem").ended(0);
            assertThat(granted.resolve("two/stem.py")).exists();
            assertThat(index.downloads()).as("none on the second time").containsExactlyInAnyOrder("leaf", "stem");
        }
        theHomeIsUntouched();
    }

    @Test
    void aStepWithoutNetworkReachesNoIndex() throws IOException {
        needsPip();
        try (PackageIndex index = PackageIndex.start()) {
            index.add("leaf", "1.0", "WORD = 'from leaf'\n");
            Outcome outcome = step(
                    List.of("--network", "none"),
                    PYTHON + " -m pip install --retries 0 --index-url " + index.url() + " --target one leaf");
            assertThat(outcome.code()).isEqualTo(1);
            assertThat(index.requests()).isEmpty();
        }
    }

    @Test
    void anNpmTarballIsInstalledAndImports() throws IOException {
        needsNpm();
        Tarball.write(
                granted.resolve("tiny-1.0.0.tgz"),
                Map.of(
                        "package/package.json", "{\"name\":\"tiny\",\"version\":\"1.0.0\",\"main\":\"i.js\"}",
                        "package/i.js", "module.exports = 'from tiny';\n"));
        Files.createDirectory(granted.resolve("project"));
        step("cd project && npm install --offline --no-audit ../tiny-1.0.0.tgz && node -p 'require(\"tiny\")' > said")
                .ended(0);
        assertThat(granted.resolve("project/said")).hasContent("from tiny\n");
        assertThat(granted.resolve(".cache/npm")).isDirectory();
        theHomeIsUntouched();
    }

    @Test
    void anNpmProgramIsInstalledGloballyAndIsOnThePath() throws IOException {
        needsNpm();
        Tarball.write(
                granted.resolve("tiny-1.0.0.tgz"),
                Map.of(
                        "package/package.json",
                        "{\"name\":\"tiny\",\"version\":\"1.0.0\",\"bin\":{\"tiny-says\":\"i.js\"}}",
                        "package/i.js",
                        "#!/usr/bin/env node\nconsole.log('from tiny');\n"));
        assertThat(step("npm install --offline --no-audit -g ./tiny-1.0.0.tgz")
                        .ended(0)
                        .err())
                .as("a setting that npm does not know")
                .doesNotContain("npm warn");
        assertThat(step("tiny-says").ended(0).out()).isEqualTo("from tiny\n");
        assertThat(granted.resolve(".local/bin/tiny-says")).exists();
        theHomeIsUntouched();
    }

    @Test
    void aGemIsInstalledForTheUserAndBundlerFindsItBesideTheSystems() throws IOException {
        needs("ruby-bundler", "bundle", "--version");
        Files.createDirectories(granted.resolve("gem/lib"));
        Files.writeString(granted.resolve("gem/lib/tiny.rb"), "puts 'from tiny'\n");
        Files.writeString(
                granted.resolve("gem/tiny.gemspec"),
                "Gem::Specification.new { |s| s.name = 'tiny'; s.version = '1.0.0'; s.summary = 'tiny'; s.authors = ['x'];"
                        + " s.files = ['lib/tiny.rb'] }\n");
        Files.writeString(granted.resolve("Gemfile"), "gem 'tiny'\ngem 'rake'\n");
        step("cd gem && gem build -q tiny.gemspec && gem install -q --local tiny-1.0.0.gem")
                .ended(0);
        assertThat(granted.resolve(".local/gem/gems/tiny-1.0.0")).isDirectory();
        assertThat(step("bundle install --quiet --local && bundle exec ruby -e \"require 'tiny'\"")
                        .ended(0)
                        .out())
                .isEqualTo("from tiny\n");
        theHomeIsUntouched();
    }

    @Test
    void gitCommitsAndDoesNotSeeTheFoldersThatTheSandboxMade() {
        needs("git", "/usr/bin/git", "--version");
        String identity = "-c user.name=Step -c user.email=step@example.org";
        step("for d in .cache .home .local .tmp; do echo x > $d/left || exit 1; done; git init -q . && echo 1 > file && git add -A && git "
                        + identity + " commit -qm first")
                .ended(0);
        assertThat(step("git status --porcelain --untracked-files=all").ended(0).out())
                .isEmpty();
        assertThat(step("git ls-files").ended(0).out()).isEqualTo("file\n");
        assertThat(step("git config user.name || echo none").ended(0).out()).isEqualTo("none\n");
        assertThat(Stream.of(".cache", ".home", ".local", ".tmp").map(granted::resolve))
                .allSatisfy(folder -> assertThat(folder).isDirectory());
    }

    @Test
    void cachesUserInstallsTemporaryFilesAndHomeLieInTheGrant() {
        Map<String, String> variables = variables(step("env"));
        assertThat(REDIRECTED)
                .allSatisfy(name -> assertThat(variables.get(name)).as(name).startsWith(granted + "/"));
        assertThat(variables.get("PATH")).startsWith(granted.resolve(".local/bin") + ":");
        assertThat(
                        step("for d in \"$HOME\" \"$TMPDIR\" \"$XDG_CACHE_HOME\" \"$PYTHONUSERBASE\"; do echo x > \"$d/f\"; done")
                                .ended(0)
                                .err())
                .isEmpty();
    }

    @Test
    void whatTheCallerSetsWins() {
        Map<String, String> variables =
                variables(step(List.of("--env", "PIP_CACHE_DIR=/elsewhere", "--env", "HOME=/nowhere"), "/usr/bin/env"));
        assertThat(variables).containsEntry("PIP_CACHE_DIR", "/elsewhere").containsEntry("HOME", "/nowhere");
    }

    @Test
    void withoutAWriteGrantNothingIsRedirected() {
        Outcome outcome = Sandboxed.from(base).with("HOME", home.toString()).run("run", "--", "/usr/bin/env");
        assertThat(variables(outcome)).doesNotContainKeys("PIP_CACHE_DIR", "TMPDIR", "PYTHONUSERBASE");
        assertThat(base.resolve(".cache")).doesNotExist();
    }

    @Test
    void aLongGrantGetsAShortTemporaryFolderThatIsGoneAfterwards() throws IOException {
        Path deep = Files.createDirectories(granted.resolve("d".repeat(61)));
        String text = "echo \"$TMPDIR\"; echo x > \"$TMPDIR/f\" && cat \"$TMPDIR/f\" && stat -c %a \"$TMPDIR\"";
        List<String> said = sandboxed()
                .run("run", "--write", deep.toString(), "--workdir", deep.toString(), "-c", text)
                .ended(0)
                .out()
                .lines()
                .toList();
        assertThat(said.subList(1, said.size())).containsExactly("x", "700");
        assertThat(said.get(0)).doesNotContain("ddd").hasSizeLessThanOrEqualTo(60);
        assertThat(Path.of(said.get(0))).doesNotExist();
        assertThat(deep.resolve(".home")).isDirectory();
    }

    @Test
    void whatOneStepInstallsInACacheDirAnotherFinds() throws IOException {
        needsPip();
        Files.writeString(base.resolve("policy.yaml"), "write_paths: [one, two, shared]\ncache_dir: shared/cache\n");
        try (PackageIndex index = PackageIndex.start()) {
            index.add("leaf", "1.0", "WORD = 'from leaf'\n");
            sandboxed()
                    .run(
                            "run",
                            "--policy",
                            "policy.yaml",
                            "--workdir",
                            "one",
                            "--",
                            PYTHON,
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--user",
                            "--index-url",
                            index.url(),
                            "leaf")
                    .ended(0);
        }
        Outcome second = sandboxed()
                .run(
                        "run",
                        "--policy",
                        "policy.yaml",
                        "--workdir",
                        "two",
                        "-c",
                        PYTHON + " -c 'import leaf; print(leaf.WORD)'; echo \"$TMPDIR\"")
                .ended(0);
        assertThat(second.out()).isEqualTo("from leaf\n" + base.resolve("two/.tmp") + "\n");
        assertThat(base.resolve("shared/cache/.local")).isDirectory();
        assertThat(base.resolve("one/.local")).doesNotExist();
    }

    @Test
    void aForbiddenFolderThatComesFirstOnThePathIsPassedOver() throws IOException {
        Path shims = Files.createDirectory(home.resolve("shims"));
        Path shim = Files.writeString(shims.resolve("python3"), "#!/bin/sh\necho from the shim\n");
        assertThat(shim.toFile().setExecutable(true, false)).isTrue();
        Sandboxed caller = sandboxed().with("PATH", shims + ":/usr/bin:/bin");
        needs("python3", PYTHON, "--version");
        String[] grant = {"run", "--write", "w", "--workdir", "w"};
        String code = "import sys; print(sys.executable)";
        for (List<String> command : List.of(
                List.of("--", "python3", "-c", code),
                List.of("-c", "python3 -c '" + code + "'"),
                List.of("--", "bash", "-c", "python3 -c '" + code + "'"),
                List.of("--", "/usr/bin/env", "python3", "-c", code))) {
            List<String> arguments = new ArrayList<>(List.of(grant));
            arguments.addAll(command);
            assertThat(caller.run(arguments).ended(0).out()).startsWith("/usr/bin/python3");
        }
    }

    @Test
    void aGrantedFolderThatComesFirstOnThePathIsUsed() throws IOException {
        Path tools = Files.createDirectory(base.resolve("tools"));
        Path tool = Files.writeString(tools.resolve("python3"), "#!/bin/sh\necho from the tools\n");
        assertThat(tool.toFile().setExecutable(true, false)).isTrue();
        assertThat(sandboxed()
                        .with("PATH", tools + ":/usr/bin:/bin")
                        .run("run", "--system-path", tools.toString(), "--", "python3")
                        .ended(0)
                        .out())
                .isEqualTo("from the tools\n");
    }

    private Sandboxed sandboxed() {
        return Sandboxed.from(base).with("HOME", home.toString()).withBackend(backend());
    }

    private Outcome step(String text) {
        return step(List.of(), text);
    }

    private Outcome step(List<String> options, String text) {
        List<String> arguments = new ArrayList<>(List.of("run", "--write", "w", "--workdir", "w"));
        arguments.addAll(options);
        arguments.addAll(List.of("-c", text));
        return sandboxed().run(arguments);
    }

    private static Map<String, String> variables(Outcome outcome) {
        Map<String, String> variables = new HashMap<>();
        outcome.ended(0).out().lines().forEach(line -> {
            String[] parts = line.split("=", 2);
            variables.put(parts[0], parts.length == 2 ? parts[1] : "");
        });
        return variables;
    }

    private void theHomeIsUntouched() throws IOException {
        try (Stream<Path> entries = Files.list(home)) {
            assertThat(entries.map(entry -> entry.getFileName().toString()))
                    .containsExactlyInAnyOrder(".npmrc", ".gitconfig");
        }
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
        try (Stream<Path> entries = Files.walk(folder)) {
            return entries.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith(".gitignore"))
                    .toList();
        }
    }

    private static void needsPip() {
        needs("python3-pip", PYTHON, "-m", "pip", "--version");
    }

    private static void needsNpm() {
        needs("npm", "npm", "--version");
        needs("nodejs", "node", "--version");
    }

    /** Skips the test when this program does not run outside the sandbox either. */
    private static void needs(String what, String... probe) {
        assumeTrue(runs(probe), "needs " + what);
    }

    private static boolean runs(String... probe) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(probe).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
            return builder.start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
