package dev.sandbox.domain.environment;

import java.util.List;
import java.util.Locale;

/** Which names of the caller's environment a step may see. Case is ignored: {@code openai_api_key} is as secret. */
final class EnvironmentNames {
    /** A name that begins so is the caller's own business: credentials, service settings, agents and loaders. */
    static final List<String> SECRET_PREFIXES = List.of(
            "DATABASE_URL",
            "JWT_SECRET",
            "LANGFUSE",
            "SUPABASE",
            "OPENAI",
            "ANTHROPIC",
            "AZURE_",
            "GOOGLE_AI",
            "GEMINI",
            "BEDROCK",
            "OPENROUTER",
            "MISTRAL_API",
            "COHERE_API",
            "GROQ_API",
            "HUGGING_FACE_HUB",
            "AGENT_PROVIDER",
            "AGENT_MODEL",
            "DEEP_SEARCH",
            "MULTI_USER",
            "GLOBAL_SECRET",
            "SECRET_",
            "AWS_",
            "ARM_CLIENT",
            "VAULT_",
            "PGPASS",
            "MYSQL_PWD",
            "REDIS_URL",
            "MONGO_URL",
            "MONGODB_URI",
            "AMQP_URL",
            "POSTGRES_URL",
            "MYSQL_URL",
            "CLOUDINARY_URL",
            "SQLALCHEMY_DATABASE",
            "ACTIONS_RUNTIME_",
            "ACTIONS_ID_TOKEN_",
            "CLOUDSDK_AUTH_",
            "GNOME_KEYRING_",
            "KRB5CCNAME",
            "SENTRY_DSN",
            "STRIPE_",
            "TWILIO_",
            "SENDGRID_",
            "SLACK_",
            "TWINE_",
            "NPM_CONFIG__AUTH",
            "NPM_CONFIG_//",
            "DOCKER_",
            "KUBECONFIG",
            "KUBERNETES_",
            "SSH_",
            "GPG_",
            "DBUS_",
            "XAUTHORITY",
            "NETRC",
            "SANDBOX_",
            "LD_",
            "GCONV_PATH",
            "GLIBC_TUNABLES",
            "BASH_ENV",
            "BASH_FUNC_",
            "SHELLOPTS",
            "BASHOPTS",
            "PS4",
            "PROMPT_COMMAND");

    static final List<String> SECRET_EXACT = List.of("ENV", "IFS", "_", "SHLVL", "PWD", "OLDPWD");

    static final List<String> SECRET_SUFFIXES = List.of(
            "_TOKEN",
            "_SECRET",
            "_PASSWORD",
            "_PASSWD",
            "_PASSPHRASE",
            "_PASS",
            "_PWD",
            "_PAT",
            "_JWT",
            "_AUTH",
            "_BEARER",
            "_KEY",
            "_APIKEY",
            "_ACCESS_KEY_ID",
            "_KEY_BASE",
            "_WEBHOOK_URL",
            "_CREDENTIALS",
            "_CREDENTIALS_JSON",
            "_CONNECTION_STRING",
            "_DSN",
            "_COOKIE");

    static final List<String> WHOLE_SECRETS = List.of(
            "TOKEN",
            "SECRET",
            "PASSWORD",
            "PASSWD",
            "PASSPHRASE",
            "APIKEY",
            "CREDENTIALS",
            "COOKIE",
            "AUTHORIZATION",
            "API_KEY",
            "PRIVATE_KEY");

    /** Ordinary names for {@code inherit: listed}; a trailing {@code *} stands for any rest. */
    static final List<String> LISTED = List.of(
            "PATH",
            "LANG",
            "LANGUAGE",
            "LC_*",
            "TERM",
            "COLORTERM",
            "TZ",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "TMPDIR",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY",
            "ALL_PROXY",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "CURL_CA_BUNDLE",
            "REQUESTS_CA_BUNDLE",
            "NODE_EXTRA_CA_CERTS",
            "JAVA_HOME",
            "GIT_*",
            "PIP_*",
            "PYTHON*",
            "NPM_CONFIG_*",
            "NODE_*",
            "GO*",
            "CGO_*",
            "CARGO_*",
            "RUSTUP_*",
            "RUST_*",
            "UV_*",
            "XDG_*",
            "CC",
            "CXX",
            "CFLAGS",
            "CXXFLAGS",
            "CPPFLAGS",
            "LDFLAGS",
            "MAKEFLAGS",
            "MAVEN_OPTS",
            "CI",
            "SOURCE_DATE_EPOCH",
            "NO_COLOR",
            "FORCE_COLOR",
            "EDITOR",
            "PAGER");

    private EnvironmentNames() {}

    static boolean isSecret(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return SECRET_EXACT.contains(upper)
                || WHOLE_SECRETS.contains(upper)
                || SECRET_PREFIXES.stream().anyMatch(upper::startsWith)
                || SECRET_SUFFIXES.stream().anyMatch(upper::endsWith);
    }

    static boolean isListed(String name) {
        return matchesAny(name.toUpperCase(Locale.ROOT), LISTED);
    }

    /** True when one of the patterns, each a name or a prefix ending in {@code *}, fits. */
    static boolean matchesAny(String name, List<String> patterns) {
        return patterns.stream().anyMatch(pattern -> matches(name, pattern));
    }

    private static boolean matches(String name, String pattern) {
        return pattern.endsWith("*")
                ? name.regionMatches(true, 0, pattern, 0, pattern.length() - 1)
                : name.equalsIgnoreCase(pattern);
    }

    /** POSIX: letters, digits and underscores, no digit first. Others (exported functions) cannot be set from a shell. */
    static boolean isPortable(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") || name.matches("(?i)npm_config_[^=\\x00]*");
    }
}
