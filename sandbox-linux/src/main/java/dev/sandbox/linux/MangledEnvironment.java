package dev.sandbox.linux;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The step's variables under names that mean nothing to the programs that set up the sandbox: {@code _SANDBOX_0=NAME=VALUE}. The
 * shell that starts the step gives them their names back; it can do so for shell names only, so others
 * ({@code BASH_FUNC_x%%}) are left out, and so are those that a shell may refuse to set.
 */
public final class MangledEnvironment {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Set<String> NOT_SETTABLE =
            Set.of("UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO", "OPTIND", "_sandbox_i");

    private MangledEnvironment() {}

    /** Under the other names. */
    public static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> mangled = new LinkedHashMap<>();
        names(environment)
                .forEach(name -> mangled.put("_SANDBOX_" + mangled.size(), name + "=" + environment.get(name)));
        return mangled;
    }

    /** Lines of a shell's that give an environment its names back, and take away what the shell has added. */
    public static List<String> restoring(Map<String, String> environment) {
        return List.of(
                "unset PWD OLDPWD SHLVL",
                "while [ \"${_sandbox_i:=0}\" -lt " + names(environment).size() + " ]; do",
                "eval \"export \\\"\\$_SANDBOX_$_sandbox_i\\\"; unset _SANDBOX_$_sandbox_i\"",
                "_sandbox_i=$((_sandbox_i + 1))",
                "done",
                "unset _sandbox_i");
    }

    private static List<String> names(Map<String, String> environment) {
        return environment.keySet().stream()
                .filter(name -> NAME.matcher(name).matches() && !NOT_SETTABLE.contains(name))
                .toList();
    }
}
