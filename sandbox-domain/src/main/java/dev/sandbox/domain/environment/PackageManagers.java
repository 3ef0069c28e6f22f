package dev.sandbox.domain.environment;

import dev.sandbox.domain.path.AbsolutePath;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The one list of what package managers are told, the same natively and in a container: installs succeed in the granted folder
 * instead of the grants being widened.
 */
final class PackageManagers {
    private PackageManagers() {}

    /** Settings that do not depend on a folder. PEP 668: the step's folder is not the system's, so "externally managed" is no obstacle. */
    static Map<String, String> always() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PYTHONUNBUFFERED", "1");
        variables.put("PIP_BREAK_SYSTEM_PACKAGES", "1");
        variables.put("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        variables.put("PIP_ROOT_USER_ACTION", "ignore");
        variables.put("npm_config_update_notifier", "false");
        variables.put("npm_config_fund", "false");
        return Collections.unmodifiableMap(variables);
    }

    /**
     * Where caches and user installs go, below {@code base}. docs/redirections.md says of each where its tool describes it. What a tool
     * installs as a command goes to {@code .local/bin}, which is on PATH. A variable that some other tool complains of is not among them:
     * npm warns of settings that are pnpm's.
     */
    static Map<String, String> redirected(AbsolutePath base) {
        String cache = base.resolve(".cache").toString();
        String local = base.resolve(".local").toString();
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("XDG_CACHE_HOME", cache);
        python(cache, local, variables);
        javaScript(cache, local, variables);
        compiled(cache, local, variables);
        others(cache, local, variables);
        return Collections.unmodifiableMap(variables);
    }

    private static void python(String cache, String local, Map<String, String> variables) {
        variables.put("PYTHONUSERBASE", local);
        variables.put("PYTHONPYCACHEPREFIX", cache + "/pycache");
        variables.put("PIP_CACHE_DIR", cache + "/pip");
        variables.put("PIPENV_CACHE_DIR", cache + "/pipenv");
        variables.put("PIPX_HOME", local + "/pipx");
        variables.put("PIPX_BIN_DIR", local + "/bin");
        variables.put("POETRY_CACHE_DIR", cache + "/poetry");
        variables.put("UV_CACHE_DIR", cache + "/uv");
        variables.put("UV_TOOL_DIR", local + "/uv/tools");
        variables.put("UV_TOOL_BIN_DIR", local + "/bin");
        variables.put("UV_PYTHON_INSTALL_DIR", local + "/uv/python");
        variables.put("UV_PYTHON_BIN_DIR", local + "/bin");
        variables.put("CONDA_PKGS_DIRS", cache + "/conda");
        variables.put("HF_HOME", cache + "/huggingface");
        variables.put("TORCH_HOME", cache + "/torch");
        variables.put("MPLCONFIGDIR", cache + "/matplotlib");
        variables.put("NUMBA_CACHE_DIR", cache + "/numba");
    }

    private static void javaScript(String cache, String local, Map<String, String> variables) {
        variables.put("npm_config_cache", cache + "/npm");
        variables.put("npm_config_prefix", local);
        variables.put("YARN_CACHE_FOLDER", cache + "/yarn");
        variables.put("COREPACK_HOME", cache + "/corepack");
        // pnpm keeps its store below and puts commands into it, which must be on PATH.
        variables.put("PNPM_HOME", local + "/bin");
        variables.put("BUN_INSTALL", local + "/bun");
        variables.put("BUN_INSTALL_BIN", local + "/bin");
        variables.put("BUN_INSTALL_CACHE_DIR", cache + "/bun");
        variables.put("DENO_DIR", cache + "/deno");
        variables.put("DENO_INSTALL_ROOT", local);
        variables.put("PLAYWRIGHT_BROWSERS_PATH", cache + "/ms-playwright");
        variables.put("PUPPETEER_CACHE_DIR", cache + "/puppeteer");
        variables.put("CYPRESS_CACHE_FOLDER", cache + "/cypress");
    }

    private static void compiled(String cache, String local, Map<String, String> variables) {
        variables.put("CCACHE_DIR", cache + "/ccache");
        variables.put("CARGO_HOME", cache + "/cargo");
        variables.put("CARGO_INSTALL_ROOT", local);
        variables.put("GOPATH", local + "/go");
        variables.put("GOBIN", local + "/bin");
        variables.put("GOCACHE", cache + "/go-build");
        variables.put("GOMODCACHE", cache + "/go-mod");
        variables.put("GRADLE_USER_HOME", cache + "/gradle");
        variables.put("COURSIER_CACHE", cache + "/coursier");
        variables.put("NUGET_PACKAGES", cache + "/nuget");
        variables.put("DOTNET_CLI_HOME", local + "/dotnet");
        variables.put("PUB_CACHE", cache + "/pub");
        variables.put("MIX_HOME", local + "/mix");
        variables.put("HEX_HOME", local + "/hex");
        variables.put("CABAL_DIR", local + "/cabal");
        variables.put("STACK_ROOT", local + "/stack");
        variables.put("OPAMROOT", local + "/opam");
    }

    private static void others(String cache, String local, Map<String, String> variables) {
        // Bundler installs there, too. BUNDLE_PATH would hide the gems that the system has.
        variables.put("GEM_HOME", local + "/gems");
        variables.put("BUNDLE_USER_CACHE", cache + "/bundle");
        variables.put("COMPOSER_HOME", local + "/composer");
        variables.put("COMPOSER_CACHE_DIR", cache + "/composer");
        // The empty last entry stands for Julia's own depots.
        variables.put("JULIA_DEPOT_PATH", local + "/julia:");
        // R takes only a folder that is there when it starts.
        variables.put("R_LIBS_USER", local);
    }

    /** Where rustup keeps toolchains: what a caller's cargo runs lies there, so the caller's own place is kept where the step may use it. */
    static Map<String, String> rustup(AbsolutePath base) {
        return Map.of("RUSTUP_HOME", base.resolve(".local/rustup").toString());
    }

    /** Maven knows no variable for its repository, only options; they are split at blanks, so a folder with one is left out. */
    static Map<String, String> maven(AbsolutePath base, String inherited) {
        String repository = base.resolve(".cache/maven").toString();
        if (repository.chars().anyMatch(Character::isWhitespace)) {
            return Map.of();
        }
        return Map.of("MAVEN_OPTS", (inherited + " -Dmaven.repo.local=" + repository).trim());
    }
}
