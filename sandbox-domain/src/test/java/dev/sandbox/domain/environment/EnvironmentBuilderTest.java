package dev.sandbox.domain.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.policy.Inheritance;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentBuilderTest {
    private static final String STANDARD_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final Set<String> ALWAYS = Set.of(
            "PYTHONUNBUFFERED",
            "PIP_BREAK_SYSTEM_PACKAGES",
            "PIP_DISABLE_PIP_VERSION_CHECK",
            "PIP_ROOT_USER_ACTION",
            "npm_config_update_notifier",
            "npm_config_fund");

    private final Map<String, String> host = new LinkedHashMap<>();
    private final EnvironmentPolicy.Builder policy = EnvironmentPolicy.builder();

    private EnvironmentPlan plan(UnaryOperator<EnvironmentRequest.Builder> change) {
        return EnvironmentBuilder.build(change.apply(EnvironmentRequest.builder()
                        .policy(policy.build())
                        .host(host)
                        .home(HomeMode.PRIVATE)
                        .pathFilter(directory -> true))
                .build());
    }

    private Map<String, String> variables() {
        return plan(b -> b).variables();
    }

    private Map<String, String> based(String base) {
        AbsolutePath path = AbsolutePath.of(base);
        return plan(b -> b.cacheBase(path).tmpDir(path.resolve(".tmp"))).variables();
    }

    private Map<String, String> withoutTmp(String tmp) {
        return plan(b -> b.tmpDir(AbsolutePath.of(tmp)).systemTmp(SystemTmp.CLOSED))
                .variables();
    }

    @Test
    void whereTmpIsClosedProgramsThatKnowNoOtherPlaceAreToldOne() {
        assertThat(withoutTmp("/w/.tmp"))
                .containsEntry("TMUX_TMPDIR", "/w/.tmp")
                .containsEntry("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=/w/.tmp");
        assertThat(based("/w")).doesNotContainKeys("TMUX_TMPDIR", "JDK_JAVA_OPTIONS");
    }

    @Test
    void theCallersJavaOptionsStayAndBlanksAreQuoted() {
        host.put("JDK_JAVA_OPTIONS", "-Dx=y");
        assertThat(withoutTmp("/w w/.tmp")).containsEntry("JDK_JAVA_OPTIONS", "-Dx=y \"-Djava.io.tmpdir=/w w/.tmp\"");
        assertThat(withoutTmp("/w'/.tmp")).containsEntry("JDK_JAVA_OPTIONS", "-Dx=y");
    }

    @Test
    void aBlockedNameIsNotDerivedForJava() {
        policy.addBlock("JDK_JAVA_OPTIONS");
        assertThat(withoutTmp("/w/.tmp")).doesNotContainKey("JDK_JAVA_OPTIONS").containsKey("TMUX_TMPDIR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TMUX", "TMUX_PANE", "TMUX_TMPDIR", "STY"})
    void theCallersTerminalServerIsNotTheSteps(String name) {
        assertThat(passes(name)).isFalse();
    }

    private boolean passes(String name) {
        host.put(name, "value-of-" + name);
        return ("value-of-" + name).equals(variables().get(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DATABASE_URL",
                "DATABASE_URL_READONLY",
                "JWT_SECRET",
                "JWT_SECRET_KEY",
                "OPENAI_API_KEY",
                "ANTHROPIC_BASE",
                "AWS_REGION",
                "AWS_SECRET_ACCESS_KEY",
                "SSH_AUTH_SOCK",
                "PGPASSWORD",
                "PGPASSFILE",
                "GITHUB_TOKEN",
                "NPM_TOKEN",
                "MY_SECRET",
                "DB_PASSWORD",
                "X_PASSWD",
                "X_PASSPHRASE",
                "FOO_API_KEY",
                "FOO_APIKEY",
                "TLS_PRIVATE_KEY",
                "GOOGLE_APPLICATION_CREDENTIALS",
                "A_CONNECTION_STRING",
                "SENTRY_DSN",
                "X_DSN",
                "SESSION_COOKIE",
                "TOKEN",
                "SECRET",
                "PASSWORD",
                "API_KEY",
                "CREDENTIALS",
                "NPM_CONFIG__AUTH",
                "npm_config__authToken",
                "npm_config_//registry.npmjs.org/:_authToken",
                "DOCKER_HOST",
                "KUBECONFIG",
                "DBUS_SESSION_BUS_ADDRESS",
                "SANDBOX_EXTRA_SYSTEM_PATHS",
                "BASH_ENV",
                "ENV",
                "IFS",
                "PWD",
                "OLDPWD",
                "PS4",
                "PROMPT_COMMAND",
                "LD_PRELOAD",
                "LD_LIBRARY_PATH",
                "LD_AUDIT",
                "GCONV_PATH",
                "GLIBC_TUNABLES"
            })
    void secretsAndLoaderSettingsAreNotInherited(String name) {
        assertThat(passes(name)).isFalse();
        assertThat(variables()).doesNotContainKey(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "openai_api_key",
                "Aws_Region",
                "github_token",
                "ld_preload",
                "Password",
                "jwt_secret",
                "database_Url",
                "my_db_PassWord"
            })
    void caseDoesNotHideASecret(String name) {
        assertThat(passes(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EDITOR",
                "JAVA_HOME",
                "PIP_INDEX_URL",
                "TOKENIZERS_PARALLELISM",
                "FOO",
                "SECRETARY",
                "npm_config_registry"
            })
    void ordinaryNamesAreInherited(String name) {
        assertThat(passes(name)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "postgres://db.example:5432/app, true",
        "kept, true",
        "postgres://app:pw@db.example/app, false",
        "redis://:pw@cache.example, false",
        "jdbc:postgresql://db.example/app?user=a&Password=b, false",
    })
    void theAddressOfAStoreIsKeptBackWhenItHoldsACredential(String value, boolean inherited) {
        host.put("MY_DATABASE_URL", value);
        host.put("DATABASE_URL", value);
        assertThat(variables().containsKey("MY_DATABASE_URL")).isEqualTo(inherited);
        assertThat(variables()).as("nobody calls an address without one so").doesNotContainKey("DATABASE_URL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BASH_FUNC_ls%%", "a-b", "1A", "A.B", "", "A B"})
    void namesThatAShellCannotSetAreNotInherited(String name) {
        assertThat(passes(name)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "PATH, true",
        "LC_TIME, true",
        "TZ, true",
        "https_proxy, true",
        "GIT_AUTHOR_NAME, true",
        "PIP_INDEX_URL, true",
        "npm_config_registry, true",
        "GOFLAGS, true",
        "UV_INDEX, true",
        "FOO, false",
        "MY_DATABASE_URL, false",
        "GIT_TOKEN, false",
        "PYTHON_API_KEY, false",
        "JAVA_HOMER, false"
    })
    void listedInheritsOrdinaryNamesAlone(String name, boolean expected) {
        policy.inherit(Inheritance.LISTED);
        host.put(name, "/some/value");
        assertThat(variables().getOrDefault(name, "").contains("/some/value")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"FOO, FOO", "foo, FOO", "FO*, FOO", "*, FOO"})
    void blockedNamesAndPrefixesAreNotInherited(String pattern, String name) {
        policy.addBlock(pattern);
        assertThat(passes(name)).isFalse();
    }

    @Test
    void passLetsASecretThroughOnPurpose() {
        policy.addPass("GITHUB_TOKEN", "LD_PRELOAD");
        assertThat(passes("GITHUB_TOKEN")).isTrue();
        assertThat(passes("LD_PRELOAD")).isTrue();
    }

    @Test
    void whatIsToBePassedButIsNotSetIsNoted() {
        policy.addPass("GITHUB_TOKEN");
        assertThat(plan(b -> b).notes())
                .containsExactly("environment variable GITHUB_TOKEN is to be passed, but is not set");
    }

    @Test
    void setWinsOverEverything() {
        host.put("FOO", "host");
        for (String name :
                Set.of("FOO", "PATH", "HOME", "TMPDIR", "PIP_CACHE_DIR", "PYTHONUNBUFFERED", "LD_PRELOAD", "LANG")) {
            policy.putSet(name, "set");
            policy.addPass(name);
        }
        assertThat(based("/w")).containsEntry("LD_PRELOAD", "set");
        assertThat(based("/w").values().stream().filter("set"::equals)).hasSize(8);
    }

    @ParameterizedTest
    @CsvSource({
        "'/custom/bin: :/usr/bin:/custom/bin', '/custom/bin:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin'",
        "'', '" + STANDARD_PATH + "'",
        "'::', '" + STANDARD_PATH + "'",
        "'.:bin:../x:/a/../b', '" + STANDARD_PATH + "'",
        "'/bin/:/usr//bin', '/bin:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin'",
        "' /custom/bin ', '/custom/bin:" + STANDARD_PATH + "'",
    })
    void pathIsRepaired(String inherited, String repaired) {
        host.put("PATH", inherited);
        assertThat(variables()).containsEntry("PATH", repaired);
    }

    @Test
    void aMissingPathBecomesTheStandardOne() {
        assertThat(variables()).containsEntry("PATH", STANDARD_PATH);
    }

    @Test
    void aPathEntryThatTheStepMayNotExecuteFromIsLeftOutAndNoted() {
        host.put("PATH", "/root/bin:/opt/bin:/root//bin");
        EnvironmentPlan plan =
                plan(b -> b.pathFilter(directory -> !directory.toString().startsWith("/root")));
        assertThat(plan.variables()).containsEntry("PATH", "/opt/bin:" + STANDARD_PATH);
        assertThat(plan.notes()).containsExactly("PATH entry /root/bin left out: no grant covers it");
        assertThat(plan.searchPath()).startsWith("/opt/bin", "/usr/local/sbin");
    }

    @Test
    void containerModeIsAStrictList() {
        policy.mode(EnvironmentMode.CONTAINER);
        host.putAll(
                Map.of("PATH", "/evil", "HOME", "/root", "FOO", "1", "LANG", "xx", "USER", "root", "TERM", "vt100"));
        Map<String, String> expected = new HashMap<>(Map.of(
                "PATH", STANDARD_PATH,
                "HOME", "/nonexistent",
                "USER", "agent",
                "SHELL", "/bin/sh",
                "LANG", "C.UTF-8",
                "LC_ALL", "C.UTF-8"));
        Map<String, String> found = new HashMap<>(variables());
        assertThat(found.keySet()).containsAll(ALWAYS);
        found.keySet().removeAll(ALWAYS);
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void bothModesTellPackageManagersTheSame() {
        Map<String, String> natively = new HashMap<>(based("/w"));
        policy.mode(EnvironmentMode.CONTAINER);
        Map<String, String> contained = new HashMap<>(based("/w"));
        for (String own : Set.of("PATH", "USER", "SHELL", "LANG", "LC_ALL")) {
            natively.remove(own);
            contained.remove(own);
        }
        assertThat(natively).isEqualTo(contained).hasSizeGreaterThan(25);
    }

    @Test
    void redirectionHasFixedNames() {
        assertThat(based("/w"))
                .containsEntry("XDG_CACHE_HOME", "/w/.cache")
                .containsEntry("PIP_CACHE_DIR", "/w/.cache/pip")
                .containsEntry("npm_config_cache", "/w/.cache/npm")
                .containsEntry("PYTHONUSERBASE", "/w/.local")
                .containsEntry("npm_config_prefix", "/w/.local")
                .containsEntry("HOME", "/w/.home")
                .containsEntry("TMPDIR", "/w/.tmp")
                .containsEntry("TMP", "/w/.tmp")
                .containsEntry("TEMP", "/w/.tmp")
                .containsEntry("TMPPREFIX", "/w/.tmp/zsh")
                .containsEntry("MAVEN_OPTS", "-Dmaven.repo.local=/w/.cache/maven")
                .containsEntry("PYTHONUNBUFFERED", "1")
                .containsEntry("PIP_BREAK_SYSTEM_PACKAGES", "1")
                .containsKeys(
                        "UV_CACHE_DIR", "YARN_CACHE_FOLDER", "GOCACHE", "GOMODCACHE", "CARGO_HOME", "GRADLE_USER_HOME")
                .containsKeys("CONDA_PKGS_DIRS", "POETRY_CACHE_DIR", "PYTHONPYCACHEPREFIX");
        assertThat(based("/w").get("PATH"))
                .isEqualTo("/w/.local/bin:/w/.local/gem/bin:/w/.local/pnpm:/w/.local/pnpm/bin"
                        + ":/w/.local/composer/vendor/bin:" + STANDARD_PATH);
    }

    @ParameterizedTest
    @CsvSource({
        "RUSTUP_HOME, .local/rustup",
        "GOPATH, .local/go",
        "GOBIN, .local/bin",
        "CARGO_INSTALL_ROOT, .local",
        "PNPM_HOME, .local/pnpm",
        "BUN_INSTALL, .local",
        "DENO_DIR, .cache/deno",
        "GEM_HOME, .local/gem",
        "COMPOSER_HOME, .local/composer",
        "UV_TOOL_DIR, .local/uv/tools",
        "UV_PYTHON_INSTALL_DIR, .local/uv/python",
        "PIPX_HOME, .local/pipx",
        "PIPX_BIN_DIR, .local/bin",
        "PLAYWRIGHT_BROWSERS_PATH, .cache/ms-playwright",
        "PUPPETEER_CACHE_DIR, .cache/puppeteer",
        "CYPRESS_CACHE_FOLDER, .cache/cypress",
        "JULIA_DEPOT_PATH, .local/julia:",
        "R_LIBS_USER, .local",
        "NUMBA_CACHE_DIR, .cache/numba",
        "TORCH_HOME, .cache/torch",
        "DOTNET_CLI_HOME, .local/dotnet",
        "PUB_CACHE, .local/pub-cache",
        "MIX_HOME, .local/mix",
        "CABAL_DIR, .local/cabal",
        "STACK_ROOT, .local/stack",
        "OPAMROOT, .local/opam",
        "COURSIER_CACHE, .cache/coursier"
    })
    void whatToolsFetchAndInstallLiesBelowTheBase(String name, String below) {
        assertThat(based("/w")).containsEntry(name, "/w/" + below);
        assertThat(variables()).doesNotContainKey(name);
    }

    /** npm 11 warns of each {@code npm_config_} name that it does not know, with every command. */
    @Test
    void npmIsToldNothingThatItDoesNotKnow() {
        Set<String> known = Set.of("cache", "prefix", "update_notifier", "fund");
        assertThat(based("/w").keySet().stream()
                        .filter(name -> name.startsWith("npm_config_"))
                        .map(name -> name.substring("npm_config_".length())))
                .hasSize(known.size())
                .allMatch(known::contains);
    }

    @Test
    void theCallersToolchainsStayWhereTheStepMayUseThem() {
        assertThat(based("/w")).containsEntry("RUSTUP_HOME", "/w/.local/rustup");
        host.put("RUSTUP_HOME", "/opt/rustup");
        assertThat(based("/w")).containsEntry("RUSTUP_HOME", "/opt/rustup");
        assertThat(plan(b -> b.cacheBase(AbsolutePath.of("/w")).pathFilter(folder -> false))
                        .variables())
                .containsEntry("RUSTUP_HOME", "/w/.local/rustup");
    }

    @Test
    void theFoldersAreNamedAndHiddenFromGit() {
        AbsolutePath base = AbsolutePath.of("/w");
        EnvironmentPlan plan = plan(b -> b.cacheBase(base).tmpDir(base.resolve(".tmp")));
        assertThat(plan.directories())
                .extracting(AbsolutePath::toString)
                .containsExactly("/w/.cache", "/w/.home", "/w/.local", "/w/.tmp");
        assertThat(plan.ignoredByGit()).isEqualTo(plan.directories());
        assertThat(plan(b -> b.tmpDir(AbsolutePath.of("/tmp/x"))).ignoredByGit())
                .isEmpty();
    }

    @Test
    void withoutABaseNothingIsRedirected() {
        host.put("PIP_CACHE_DIR", "/host/pip");
        host.put("TMPDIR", "/host/tmp");
        EnvironmentPlan plan = plan(b -> b);
        assertThat(plan.directories()).isEmpty();
        assertThat(plan.variables())
                .containsEntry("PIP_CACHE_DIR", "/host/pip")
                .containsEntry("TMPDIR", "/host/tmp")
                .containsEntry("HOME", "/nonexistent")
                .doesNotContainKeys("PYTHONUSERBASE", "npm_config_cache", "MAVEN_OPTS", "XDG_CACHE_HOME");
    }

    @Test
    void homeIsInheritedOnlyWhenAskedFor() {
        host.put("HOME", "/home/user");
        assertThat(variables()).containsEntry("HOME", "/nonexistent");
        assertThat(plan(b -> b.home(HomeMode.INHERIT)).variables()).containsEntry("HOME", "/home/user");
        assertThat(plan(b -> b.home(HomeMode.INHERIT).cacheBase(AbsolutePath.of("/w")))
                        .directories())
                .doesNotContain(AbsolutePath.of("/w/.home"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
    void whatPointsIntoHomeFollowsIt(String name) {
        host.put(name, "/home/user/x");
        assertThat(variables()).doesNotContainKey(name);
        assertThat(plan(b -> b.home(HomeMode.INHERIT)).variables()).containsEntry(name, "/home/user/x");
    }

    @Test
    void theCallersLocaleIsKeptAndAMissingOneIsUtf8() {
        assertThat(variables()).containsEntry("LANG", "C.UTF-8");
        host.put("LC_ALL", "de_DE.UTF-8");
        assertThat(variables()).containsEntry("LC_ALL", "de_DE.UTF-8").doesNotContainKey("LANG");
    }

    @Test
    void mavensOptionsAreKeptAndAFolderWithABlankIsLeftOut() {
        host.put("MAVEN_OPTS", "-Xmx1g");
        assertThat(based("/w")).containsEntry("MAVEN_OPTS", "-Xmx1g -Dmaven.repo.local=/w/.cache/maven");
        assertThat(based("/a b")).containsEntry("MAVEN_OPTS", "-Xmx1g");
    }

    @Test
    void aBaseWithAColonPutsNoRelativeEntryOnPath() {
        assertThat(Stream.of(based("/w:evil/x").getOrDefault("PATH", "").split(":")))
                .allMatch(entry -> entry.startsWith("/"))
                .noneMatch(entry -> entry.equals("/w"));
    }

    @ParameterizedTest
    @EnumSource(EnvironmentMode.class)
    void valuesAreShownByNoToString(EnvironmentMode mode) {
        policy.mode(mode).putSet("KEY", "hunter2").addPass("GITHUB_TOKEN");
        host.put("GITHUB_TOKEN", "hunter2");
        host.put("FOO", "hunter2");
        EnvironmentRequest request = EnvironmentRequest.builder()
                .policy(policy.build())
                .host(host)
                .home(HomeMode.PRIVATE)
                .pathFilter(directory -> true)
                .build();
        EnvironmentPlan plan = EnvironmentBuilder.build(request);
        SandboxPolicy whole = SandboxPolicy.builder()
                .baseDir(AbsolutePath.ROOT)
                .environment(policy.build())
                .build();
        assertThat(plan.variables()).containsValue("hunter2");
        assertThat(policy.build() + " " + request + " " + plan + " " + whole + plan.notes())
                .doesNotContain("hunter2")
                .contains("KEY");
    }

    @ParameterizedTest
    @ValueSource(strings = {"USER", "LOGNAME", "USERNAME", "MAIL", "XDG_RUNTIME_DIR", "SUDO_USER"})
    void aStepOfAnotherIdentityIsNotToldWhoTheCallerIs(String name) {
        host.put(name, "root");
        assertThat(plan(b -> b.home(HomeMode.INHERIT)).variables()).containsEntry(name, "root");

        assertThat(plan(b -> b.home(HomeMode.INHERIT).runAs(new Identity(1000, 1000)))
                        .variables())
                .doesNotContainKey(name);
        policy.putSet(name, "wanted");
        assertThat(plan(b -> b.runAs(new Identity(1000, 1000))).variables()).containsEntry(name, "wanted");
    }

    @Test
    void valuesOfMaskedNamesArePartOfThePlanAndNotOfItsText() {
        host.put("MY_TOKEN", "hunter2");
        policy.addPass("MY_TOKEN", "UNSET").putSet("OTHER", "s3cret").addMask("MY_TOKEN", "OTHER", "UNSET");
        EnvironmentPlan plan = plan(b -> b);

        assertThat(plan.masked()).containsExactly("hunter2", "s3cret");
        assertThat(plan.toString()).doesNotContain("hunter2").doesNotContain("s3cret");
    }

    @Test
    void aNameThatIsNeitherPassedNorSetOrHasAValueTooShortToMaskIsRefused() {
        host.put("SEEN", "inherited");
        policy.putSet("SHORT", "abc").putSet("OK", "abcd").addMask("SEEN", "SHORT", "OK");

        assertThatThrownBy(() -> plan(b -> b))
                .isInstanceOfSatisfying(
                        PolicyInvalidException.class,
                        e -> assertThat(e.problems())
                                .extracting(Problem::line)
                                .containsExactly(
                                        "environment.mask[0]: SEEN is neither passed nor set; add it to environment.pass",
                                        "environment.mask[1]: the value of SHORT is shorter than 4 bytes: masking it would tear"
                                                + " the output apart; do not mask it, or choose a longer secret"));
    }
}
