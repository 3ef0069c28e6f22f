package dev.sandbox.domain.resolve;

import java.util.ArrayList;
import java.util.List;

/**
 * How a tool's folder is laid out: which of its folders are put on PATH, and what of it a program needs to run. In a pattern {@code *}
 * is one name, in a grant the one that stands in the PATH entry; {@code +} is each folder there. What is granted never holds the
 * tool's settings or credentials ({@code .cargo/credentials.toml}, {@code etc/npmrc}, {@code pip.conf}, {@code .condarc}): leaving
 * them out holds with every backend, a block inside a grant does not.
 *
 * @param tool its name, for people
 * @param variable names the folder in the caller's environment, and in the step's when it is {@code handedOn}; may be empty
 * @param handedOn whether the tool has to be told its folder, because it looks below HOME
 * @param roots where the folder usually is: below the home, or absolute
 * @param entries what of it is on PATH; empty for what only comes along with another tool
 * @param grants what of it is granted
 * @param comesAlong the tool whose folder is needed as well; may be empty
 */
record ToolchainLayout(
        String tool,
        String variable,
        boolean handedOn,
        List<String> roots,
        List<String> entries,
        List<String> grants,
        String comesAlong) {
    private static final List<String> OF_NODE = List.of("bin", "lib", "include", "share");

    /** The tools that are known. */
    static final List<ToolchainLayout> ALL = List.of(
            // github.com/pyenv/pyenv: shims, versions, environment variables
            of("pyenv", "PYENV_ROOT", true, ".pyenv")
                    .entries("shims", "bin", "versions/*/bin", "plugins/*/shims", "plugins/*/bin")
                    .grants("shims", "bin", "libexec", "plugins", "pyenv.d", "completions", "version")
                    .grantsIn("versions/+", "bin", "lib", "include", "share"),
            of("nvm", "NVM_DIR", false, ".nvm").entries("versions/node/*/bin").grantsIn("versions/node/*", OF_NODE),
            of("fnm", "FNM_DIR", false, ".local/share/fnm", ".fnm")
                    .entries("node-versions/*/installation/bin")
                    .grantsIn("node-versions/*/installation", OF_NODE),
            // docs.volta.sh/advanced/installers
            of("volta", "VOLTA_HOME", true, ".volta")
                    .entries("bin")
                    .grants("bin", "layout.v4", "tools/inventory", "tools/user")
                    .grantsIn("tools/image/+/+", OF_NODE),
            // rust-lang.github.io/rustup/concepts/proxies.html: cargo and rustc in .cargo/bin start a toolchain of
            // .rustup
            of("cargo", "CARGO_HOME", false, ".cargo")
                    .entries("bin")
                    .grants("bin")
                    .with("rustup"),
            of("rustup", "RUSTUP_HOME", true, ".rustup").grants("settings.toml", "toolchains"),
            // sdkman.io/usage; Maven's conf/settings.xml stays out
            of("sdkman", "SDKMAN_DIR", false, ".sdkman")
                    .entries("candidates/*/*/bin")
                    .grantsIn(
                            "candidates/*/*",
                            "bin",
                            "lib",
                            "jmods",
                            "jre",
                            "include",
                            "legal",
                            "release",
                            "boot",
                            "init.d")
                    .grantsIn(
                            "candidates/*/*/conf",
                            "security",
                            "management",
                            "net.properties",
                            "logging.properties",
                            "logging"),
            of("asdf", "ASDF_DATA_DIR", true, ".asdf")
                    .entries("shims", "bin")
                    .grants("bin", "shims", "lib", "libexec", "plugins", "asdf.sh")
                    .grantsIn("installs/+/+", "bin", "lib", "libexec", "include", "share"),
            of("mise", "MISE_DATA_DIR", true, ".local/share/mise")
                    .entries("shims", "installs/*/*/bin")
                    .grants("shims")
                    .grantsIn("installs/+/+", "bin", "lib", "libexec", "include", "share"),
            of(
                            "conda",
                            "",
                            false,
                            "miniconda3",
                            "anaconda3",
                            "miniforge3",
                            "mambaforge",
                            "/opt/conda",
                            "/opt/miniconda3")
                    .entries("bin", "condabin", "envs/*/bin")
                    .grants("bin", "condabin", "lib", "libexec", "include", "share", "ssl")
                    .grantsIn("envs/+", "bin", "lib", "libexec", "include", "share", "ssl"),
            of("go", "GOPATH", false, "go").entries("bin").grants("bin"),
            of("go", "", false, "sdk")
                    .entries("*/bin")
                    .grantsIn("*", "bin", "pkg", "src", "lib", "misc", "VERSION", "go.env"),
            of("bun", "BUN_INSTALL", false, ".bun").entries("bin").grants("bin", "install/global/node_modules"),
            of("deno", "DENO_INSTALL", false, ".deno").entries("bin").grants("bin"),
            of("linuxbrew", "HOMEBREW_PREFIX", false, "/home/linuxbrew/.linuxbrew", ".linuxbrew")
                    .entries("bin", "sbin")
                    .grants("bin", "sbin", "lib", "opt", "Cellar", "share", "include", "etc/ca-certificates"));

    private static ToolchainLayout of(String tool, String variable, boolean handedOn, String... roots) {
        return new ToolchainLayout(tool, variable, handedOn, List.of(roots), List.of(), List.of(), "");
    }

    private ToolchainLayout entries(String... patterns) {
        return new ToolchainLayout(tool, variable, handedOn, roots, List.of(patterns), grants, comesAlong);
    }

    private ToolchainLayout grants(String... patterns) {
        return granting(List.of(patterns));
    }

    private ToolchainLayout grantsIn(String folder, String... names) {
        return grantsIn(folder, List.of(names));
    }

    private ToolchainLayout grantsIn(String folder, List<String> names) {
        return granting(names.stream().map(name -> folder + "/" + name).toList());
    }

    private ToolchainLayout granting(List<String> more) {
        List<String> all = new ArrayList<>(grants);
        all.addAll(more);
        return new ToolchainLayout(tool, variable, handedOn, roots, entries, List.copyOf(all), comesAlong);
    }

    private ToolchainLayout with(String other) {
        return new ToolchainLayout(tool, variable, handedOn, roots, entries, grants, other);
    }
}
