package dev.sandbox.domain.environment;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which names of the caller's environment look like secrets. A name is cut into words at what is no letter, and once more where
 * a capital follows a small letter; its words are then looked at, so that {@code DB_PASSWORD1}, {@code APITOKEN} and
 * {@code myApiKey} are found and {@code MONKEY}, {@code KEYBOARD} and {@code AUTHOR} are not. Case is ignored otherwise.
 */
final class SecretNames {
    /** A name that begins so is the caller's own business: credentials, service settings, agents and loaders. */
    static final List<String> PREFIXES = List.of(
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

    static final List<String> EXACT = List.of("ENV", "IFS", "_", "SHLVL", "PWD", "OLDPWD");

    /** A name with one of these words is secret. */
    static final Set<String> WORDS = Set.of(
            "PASS",
            "PWD",
            "PW",
            "PASSCODE",
            "PASSKEY",
            "CRED",
            "AUTH",
            "AUTHN",
            "AUTHZ",
            "AUTHENTICATION",
            "AUTHORIZATION",
            "BEARER",
            "JWT",
            "JWTS",
            "PAT",
            "KEY",
            "DSN",
            "COOKIE",
            "COOKIES",
            "WEBHOOK",
            "WEBHOOKS",
            "PEM",
            "PFX",
            "JKS",
            "KEYFILE",
            "KEYSTORE",
            "KEYTAB",
            "KEYRING",
            "KEYCHAIN",
            "KEYVAULT",
            "KEYPAIR",
            "KEYPASS",
            "KEYID",
            "SESSID",
            "SESSIONID",
            "CONNSTR",
            "MNEMONIC",
            "ADMIN",
            "ADMINS",
            "ADMINISTRATOR",
            "ADMINISTRATORS",
            "SUPERUSER",
            "SUPERUSERS",
            "USERS",
            "EMAILS");

    /** A name that ends with one of these words is secret; before another word they mean something else. */
    static final Set<String> LAST_WORDS = Set.of("PIN", "OTP", "TOTP", "SALT", "HMAC", "SAS", "SSN");

    /** A word that contains one of these makes the name secret. */
    static final List<String> PARTS =
            List.of("PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "TOKEN", "CREDENTIAL", "OAUTH", "CONNECTIONSTRING");

    /** A word that ends so makes the name secret. */
    static final List<String> ENDINGS =
            List.of("KEY", "KEYS", "PASS", "PWD", "AUTH", "CREDS", "PHRASE", "JWT", "SESSID");

    /** Two words that make a name secret side by side. */
    static final List<String> PAIRS =
            List.of("CONNECTION STRING", "CONN STR", "SERVICE ACCOUNT", "SEED WORDS", "ACCOUNT SID");

    /** Parts between separators in which the digits belong to the word. */
    private static final Set<String> WITH_DIGITS = Set.of("P12", "PKCS12", "2FA");

    /** Words that contain or end like a secret's and are none. */
    static final Set<String> ORDINARY = Set.of(
            "MONKEY",
            "MONKEYS",
            "SPIDERMONKEY",
            "DONKEY",
            "TURKEY",
            "HOTKEY",
            "HOTKEYS",
            "LESSKEY",
            "HOCKEY",
            "JOCKEY",
            "WHISKEY",
            "VALKEY",
            "COMPASS",
            "ENCOMPASS",
            "BYPASS",
            "SURPASS",
            "TRESPASS",
            "UNDERPASS",
            "OVERPASS",
            "SECRETARY",
            "PARAPHRASE");

    /** An address of one of these services usually holds its password. */
    private static final Pattern STORE =
            Pattern.compile("(DATABASE|REDIS|MONGO|POSTGRES|MYSQL|MARIADB|RABBIT|AMQP|CLICKHOUSE"
                    + "|ELASTIC|OPENSEARCH|SQLALCHEMY|CLOUDAMQP|CASSANDRA|COUCH|KAFKA|MEMCACHE).*|.*DB|PG|MSSQL|JDBC|BROKER|SMTP"
                    + "|MAILER|SQL|LDAP|FTP|SFTP");

    /** {@code user:password@host}, {@code ?password=...}. */
    private static final Pattern HAS_CREDENTIAL =
            Pattern.compile("@|(password|passwd|pwd|pass|token|secret|key)=", Pattern.CASE_INSENSITIVE);

    private static final Set<String> ADDRESS = Set.of("URL", "URLS", "URI", "URIS", "DSN");

    /** {@code MAX_OUTPUT_TOKENS} counts; only the plural does. */
    private static final Set<String> COUNTING = Set.of("MAX", "MIN", "NUM", "COUNT");

    private static final Pattern NO_LETTERS = Pattern.compile("[^A-Z]+");
    private static final Pattern SEPARATORS = Pattern.compile("[^A-Z0-9]+");
    private static final Pattern CAPITAL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    /** Of one caller they are the same for each step. */
    private static final Map<String, Boolean> DECIDED = new ConcurrentHashMap<>();

    private static final int MOST_DECIDED = 1_000;

    private SecretNames() {}

    /**
     * The same for a variable that has a value. {@code MY_DATABASE_URL} may be an address without a password, which a tool needs: there
     * the value decides.
     */
    static boolean isSecret(String name, String value) {
        return isSecret(name)
                || (isAddressOfStore(words(name))
                        && HAS_CREDENTIAL.matcher(value).find());
    }

    static boolean isSecret(String name) {
        Boolean known = DECIDED.get(name);
        if (known != null) {
            return known;
        }
        boolean secret = decide(name);
        if (DECIDED.size() < MOST_DECIDED) {
            DECIDED.put(name, secret);
        }
        return secret;
    }

    private static boolean decide(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return EXACT.contains(upper)
                || PREFIXES.stream().anyMatch(upper::startsWith)
                || Stream.of(SEPARATORS.split(upper)).anyMatch(WITH_DIGITS::contains)
                || hasSecretWords(words(name))
                || hasSecretWords(words(CAPITAL.matcher(name).replaceAll("_")));
    }

    private static List<String> words(String name) {
        return Stream.of(NO_LETTERS.split(name.toUpperCase(Locale.ROOT)))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static boolean hasSecretWords(List<String> words) {
        if (words.isEmpty()) {
            return false;
        }
        boolean counts = words.contains("TOKENS") && words.stream().anyMatch(COUNTING::contains);
        String spaced = " " + String.join(" ", words) + " ";
        return words.stream().filter(word -> !(counts && word.equals("TOKENS"))).anyMatch(SecretNames::isSecretWord)
                || LAST_WORDS.contains(words.get(words.size() - 1))
                || PAIRS.stream().anyMatch(pair -> spaced.contains(" " + pair + " "))
                || (isAddressOfStore(words) && !isAnyDatabase(words));
    }

    private static boolean isSecretWord(String word) {
        if (ORDINARY.contains(word) || word.contains("TOKENIZ") || word.contains("TOKENIS")) {
            return false;
        }
        return WORDS.contains(word)
                || PARTS.stream().anyMatch(word::contains)
                || ENDINGS.stream().anyMatch(word::endsWith);
    }

    /** {@code MY_DATABASE_URL} names no service, and something else first. */
    private static boolean isAnyDatabase(List<String> words) {
        return words.indexOf("DATABASE") > 0
                && words.stream().filter(word -> STORE.matcher(word).matches()).allMatch("DATABASE"::equals);
    }

    private static boolean isAddressOfStore(List<String> words) {
        return words.stream().anyMatch(ADDRESS::contains)
                && words.stream().anyMatch(word -> STORE.matcher(word).matches());
    }
}
