package dev.sandbox.domain.resolve;

import java.util.List;

/**
 * Names that a person's own tools run or obey without asking, relative to a folder that a step may write. What people run by hand and
 * knowingly (a Makefile, package.json) is not among them, nor what ordinary commands have to write (.gitmodules, .npmrc).
 */
final class TrustedNames {
    /** Each git command runs them. */
    static final String GIT_HOOKS = ".git/hooks";

    /** May name programs: core.fsmonitor, core.pager, diff drivers, another folder for hooks. */
    static final String GIT_CONFIG = ".git/config";

    static final List<String> DEFAULT = List.of(
            GIT_HOOKS,
            GIT_CONFIG,
            ".husky",
            ".envrc",
            ".vscode",
            ".idea",
            ".devcontainer",
            ".claude",
            ".cursor",
            ".mcp.json",
            ".bashrc",
            ".bash_profile",
            ".bash_login",
            ".bash_logout",
            ".profile",
            ".zshrc",
            ".zshenv",
            ".zprofile",
            ".zlogin",
            ".zlogout",
            ".gitconfig",
            ".ssh",
            ".config/git",
            ".config/fish",
            ".config/autostart",
            ".config/systemd");

    private TrustedNames() {}
}
