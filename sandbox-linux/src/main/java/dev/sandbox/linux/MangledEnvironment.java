package dev.sandbox.mountns;

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
final class MangledEnvironment {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Set<String> NOT_SETTABLE =
            Set.of("UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO", "OPTIND", "_sandbox_i");

    private MangledEnvironment() {}

    static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> mangled = new LinkedHashMap<>();
        names(environment)
                .forEach(name -> mangled.put("_SANDBOX_" + mangled.size(), name + "=" + environment.get(name)));
        return mangled;
    }

    static int count(Map<String, String> environment) {
        return names(environment).size();
    }

    private static List<String> names(Map<String, String> environment) {
        return environment.keySet().stream()
                .filter(name -> NAME.matcher(name).matches() && !NOT_SETTABLE.contains(name))
                .toList();
    }
}
