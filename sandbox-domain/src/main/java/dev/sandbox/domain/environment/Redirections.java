package dev.sandbox.domain.environment;

import dev.sandbox.domain.path.AbsolutePath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where each tool keeps what it fetches, builds and installs: one table for all backends. A cache can be thrown away and goes below
 * {@code .cache}; what was installed goes below {@code .local}, its programs into {@code .local/bin} where the tool has a setting
 * for that. Only variables that no other tool complains of: npm 11 warns of each {@code npm_config_} name that it does not know.
 */
final class Redirections {
    /** One setting: the variable, its place below the base, and the page that documents it; docs/redirections.md shows them. */
    private record Row(String variable, String below, String source) {}

    private static final String CACHE = ".cache";
    private static final String LOCAL = ".local";
    private static final String PROGRAMS = ".local/bin";

    private static final List<Row> TABLE = List.of(
            new Row("XDG_CACHE_HOME", CACHE, "specifications.freedesktop.org/basedir-spec"),
            new Row("PIP_CACHE_DIR", ".cache/pip", "pip.pypa.io/en/stable/topics/caching"),
            new Row("PYTHONUSERBASE", LOCAL, "docs.python.org/3/using/cmdline.html#envvar-PYTHONUSERBASE"),
            new Row("PYTHONPYCACHEPREFIX", ".cache/pycache", "docs.python.org/3/using/cmdline.html"),
            new Row("PIPENV_CACHE_DIR", ".cache/pipenv", "pipenv.pypa.io/en/latest/configuration.html"),
            new Row("POETRY_CACHE_DIR", ".cache/poetry", "python-poetry.org/docs/configuration"),
            new Row("PIPX_HOME", ".local/pipx", "pipx.pypa.io/stable/how-to/configure-paths"),
            new Row("PIPX_BIN_DIR", PROGRAMS, "pipx.pypa.io/stable/how-to/configure-paths"),
            new Row("UV_CACHE_DIR", ".cache/uv", "docs.astral.sh/uv/reference/environment"),
            new Row("UV_TOOL_DIR", ".local/uv/tools", "docs.astral.sh/uv/reference/environment"),
            new Row("UV_TOOL_BIN_DIR", PROGRAMS, "docs.astral.sh/uv/reference/environment"),
            new Row("UV_PYTHON_INSTALL_DIR", ".local/uv/python", "docs.astral.sh/uv/reference/environment"),
            new Row("UV_PYTHON_BIN_DIR", PROGRAMS, "docs.astral.sh/uv/reference/environment"),
            new Row(
                    "CONDA_PKGS_DIRS",
                    ".cache/conda",
                    "docs.conda.io/projects/conda/en/stable/user-guide/configuration"),
            new Row(
                    "MPLCONFIGDIR",
                    ".cache/matplotlib",
                    "matplotlib.org/stable/install/environment_variables_faq.html"),
            new Row(
                    "HF_HOME",
                    ".cache/huggingface",
                    "huggingface.co/docs/huggingface_hub/package_reference/environment_variables"),
            new Row("TORCH_HOME", ".cache/torch", "docs.pytorch.org/docs/stable/hub.html"),
            new Row("NUMBA_CACHE_DIR", ".cache/numba", "numba.readthedocs.io/en/stable/reference/envvars.html"),
            new Row("npm_config_cache", ".cache/npm", "docs.npmjs.com/cli/using-npm/config"),
            new Row("npm_config_prefix", LOCAL, "docs.npmjs.com/cli/using-npm/config"),
            new Row("YARN_CACHE_FOLDER", ".cache/yarn", "classic.yarnpkg.com/en/docs/cli/cache"),
            // Its store lies below it, too; npm_config_store_dir would be a warning of each npm command.
            new Row("PNPM_HOME", ".local/pnpm", "pnpm.io/settings#storedir"),
            new Row("COREPACK_HOME", ".cache/corepack", "github.com/nodejs/corepack#environment-variables"),
            new Row("BUN_INSTALL", LOCAL, "bun.sh/docs/pm/cli/install#global-packages"),
            new Row("BUN_INSTALL_CACHE_DIR", ".cache/bun", "bun.sh/docs/runtime/bunfig#install-cache"),
            new Row("DENO_DIR", ".cache/deno", "docs.deno.com/runtime/reference/env_variables"),
            new Row("DENO_INSTALL_ROOT", LOCAL, "docs.deno.com/runtime/reference/env_variables"),
            new Row("PLAYWRIGHT_BROWSERS_PATH", ".cache/ms-playwright", "playwright.dev/docs/browsers"),
            new Row("PUPPETEER_CACHE_DIR", ".cache/puppeteer", "pptr.dev/guides/configuration"),
            new Row("CYPRESS_CACHE_FOLDER", ".cache/cypress", "docs.cypress.io/app/references/advanced-installation"),
            new Row("GOCACHE", ".cache/go-build", "go.dev/cmd/go/#hdr-Environment_variables"),
            new Row("GOMODCACHE", ".cache/go-mod", "go.dev/ref/mod#environment-variables"),
            new Row("GOPATH", ".local/go", "go.dev/cmd/go/#hdr-Environment_variables"),
            new Row("GOBIN", PROGRAMS, "go.dev/cmd/go/#hdr-Environment_variables"),
            new Row("CARGO_HOME", ".cache/cargo", "doc.rust-lang.org/cargo/reference/environment-variables.html"),
            new Row("CARGO_INSTALL_ROOT", LOCAL, "doc.rust-lang.org/cargo/commands/cargo-install.html"),
            new Row("RUSTUP_HOME", ".local/rustup", "rust-lang.github.io/rustup/environment-variables.html"),
            // Bundler installs there, too. BUNDLE_PATH would hide the gems that the system has.
            new Row("GEM_HOME", ".local/gem", "guides.rubygems.org/command-reference/#gem-environment"),
            new Row("BUNDLE_USER_CACHE", ".cache/bundle", "bundler.io/man/bundle-config.1.html"),
            new Row("COMPOSER_HOME", ".local/composer", "getcomposer.org/doc/03-cli.md#composer-home"),
            new Row("COMPOSER_CACHE_DIR", ".cache/composer", "getcomposer.org/doc/03-cli.md#composer-cache-dir"),
            new Row("GRADLE_USER_HOME", ".cache/gradle", "docs.gradle.org/current/userguide/directory_layout.html"),
            new Row("COURSIER_CACHE", ".cache/coursier", "get-coursier.io/docs/cache"),
            new Row("COURSIER_BIN_DIR", PROGRAMS, "get-coursier.io/docs/cli-install"),
            new Row(
                    "NUGET_PACKAGES",
                    ".cache/nuget",
                    "learn.microsoft.com/nuget/reference/cli-reference/cli-ref-environment-variables"),
            new Row(
                    "DOTNET_CLI_HOME",
                    ".local/dotnet",
                    "learn.microsoft.com/dotnet/core/tools/dotnet-environment-variables"),
            new Row("PUB_CACHE", ".local/pub-cache", "dart.dev/tools/pub/environment-variables"),
            new Row("MIX_HOME", ".local/mix", "hexdocs.pm/mix/Mix.html#module-environment-variables"),
            new Row("CABAL_DIR", ".local/cabal", "cabal.readthedocs.io/en/stable/config.html"),
            new Row("STACK_ROOT", ".local/stack", "docs.haskellstack.org/en/stable/configure/environment_variables"),
            new Row("OPAMROOT", ".local/opam", "opam.ocaml.org/doc/Manual.html"),
            // R takes only a folder that exists when it starts.
            new Row("R_LIBS_USER", LOCAL, "stat.ethz.ch/R-manual/R-devel/library/base/html/libPaths.html"),
            new Row("CCACHE_DIR", ".cache/ccache", "ccache.dev/manual/latest.html"));

    /** Below the base, what is run without a path; each but the first for tools that know no other place. */
    private static final List<String> SEARCHED =
            List.of(PROGRAMS, ".local/gem/bin", ".local/pnpm", ".local/pnpm/bin", ".local/composer/vendor/bin");

    private Redirections() {}

    /** The variables for a base. */
    static Map<String, String> below(AbsolutePath base) {
        String root = base.toString() + (base.equals(AbsolutePath.ROOT) ? "" : "/");
        Map<String, String> variables = new LinkedHashMap<>();
        for (Row row : TABLE) {
            variables.put(row.variable(), root + row.below());
        }
        // The empty entry behind the colon keeps the depots that come with Julia (docs.julialang.org,
        // JULIA_DEPOT_PATH).
        variables.put("JULIA_DEPOT_PATH", root + ".local/julia:");
        return Collections.unmodifiableMap(variables);
    }

    /** Where the shell finds what was installed, first entry first. */
    static List<String> programs(AbsolutePath base) {
        List<String> folders = new ArrayList<>();
        for (String below : SEARCHED) {
            folders.add(base.resolve(below).toString());
        }
        return folders;
    }
}
