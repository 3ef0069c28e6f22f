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

    /** The same for the folder in which Maven looks for {@code .m2/settings.xml}. */
    static Map<String, String> javaHome(AbsolutePath home, String inherited) {
        return home.toString().chars().anyMatch(Character::isWhitespace)
                ? Map.of()
                : Map.of("MAVEN_OPTS", (inherited + " -Duser.home=" + home).trim());
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
