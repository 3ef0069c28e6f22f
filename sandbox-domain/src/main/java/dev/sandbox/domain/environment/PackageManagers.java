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

    /** Where caches and user installs go, below {@code base}. */
    static Map<String, String> redirected(AbsolutePath base) {
        String cache = base.resolve(".cache").toString();
        String local = base.resolve(".local").toString();
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("XDG_CACHE_HOME", cache);
        variables.put("PIP_CACHE_DIR", cache + "/pip");
        variables.put("UV_CACHE_DIR", cache + "/uv");
        variables.put("PIPENV_CACHE_DIR", cache + "/pipenv");
        variables.put("POETRY_CACHE_DIR", cache + "/poetry");
        variables.put("PYTHONPYCACHEPREFIX", cache + "/pycache");
        variables.put("CONDA_PKGS_DIRS", cache + "/conda");
        variables.put("npm_config_cache", cache + "/npm");
        variables.put("YARN_CACHE_FOLDER", cache + "/yarn");
        variables.put("npm_config_store_dir", cache + "/pnpm");
        variables.put("COREPACK_HOME", cache + "/corepack");
        variables.put("GOCACHE", cache + "/go-build");
        variables.put("GOMODCACHE", cache + "/go-mod");
        variables.put("CARGO_HOME", cache + "/cargo");
        variables.put("GRADLE_USER_HOME", cache + "/gradle");
        variables.put("NUGET_PACKAGES", cache + "/nuget");
        variables.put("COMPOSER_CACHE_DIR", cache + "/composer");
        variables.put("BUNDLE_USER_CACHE", cache + "/bundle");
        variables.put("CCACHE_DIR", cache + "/ccache");
        variables.put("MPLCONFIGDIR", cache + "/matplotlib");
        variables.put("HF_HOME", cache + "/huggingface");
        variables.put("PYTHONUSERBASE", local);
        variables.put("npm_config_prefix", local);
        return Collections.unmodifiableMap(variables);
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
