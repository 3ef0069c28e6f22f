package dev.sandbox.domain.verdict;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where credentials usually are, by name alone: the host is not asked, so that nobody learns from an answer what exists. A grant for
 * such a place may be written; it is not proposed. Neither are the homes that hold such places, nor what all accounts write into.
 */
final class SecretPlaces {
    private static final String SECRETS = "credentials are usually kept there";
    private static final String HOMES = "it is a person's whole home";
    private static final String SHARED = "every account writes there; use TMPDIR";

    /** Names that are secret wherever they stand. */
    private static final Set<String> NAMES = Set.of(
            ".ssh",
            ".gnupg",
            ".aws",
            ".azure",
            ".kube",
            ".docker",
            ".password-store",
            ".netrc",
            "_netrc",
            ".pgpass",
            ".my.cnf",
            ".npmrc",
            ".yarnrc.yml",
            ".pypirc",
            ".git-credentials",
            ".vault-token",
            ".mozilla",
            ".thunderbird",
            ".electrum",
            ".bitcoin",
            ".ethereum",
            ".sops",
            ".age",
            ".boto",
            ".s3cfg",
            ".terraformrc",
            ".terraform.d",
            ".databrickscfg",
            ".snowsql",
            ".config/gcloud",
            ".env",
            ".envrc",
            ".htpasswd",
            ".bash_history",
            ".zsh_history",
            ".python_history",
            ".node_repl_history",
            ".psql_history",
            ".mysql_history",
            ".claude",
            ".claude.json",
            ".codex",
            ".gemini",
            "keyrings",
            "kwallet",
            "gcloud",
            "google-chrome",
            "chromium",
            "rclone",
            "credentials.toml",
            "credentials.json",
            "hosts.yml",
            "shadow",
            "shadow-",
            "gshadow",
            "gshadow-",
            "sudoers",
            "sudoers.d",
            "krb5.keytab",
            "environ",
            "settings-security.xml",
            "gradle.properties");

    private static final Pattern NAME = Pattern.compile(
            "\\.env\\..*|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|ssh_host_.*_key|.*\\.(pem|key|p12|pfx|jks|keystore|keytab|kdbx|ovpn|ppk|gpg|asc)");

    private static final List<AbsolutePath> FOLDERS = Stream.of(
                    "/etc/ssl/private",
                    "/etc/pki/tls/private",
                    "/etc/NetworkManager",
                    "/etc/wireguard",
                    "/etc/letsencrypt",
                    "/run/secrets",
                    "/var/run/secrets",
                    "/var/lib/docker",
                    "/var/lib/containerd",
                    "/var/lib/kubelet",
                    "/var/log",
                    "/var/mail",
                    "/var/spool",
                    "/var/backups")
            .map(AbsolutePath::of)
            .toList();

    private static final Set<AbsolutePath> SHARED_FOLDERS =
            Set.of(AbsolutePath.of("/tmp"), AbsolutePath.of("/var/tmp"), AbsolutePath.of("/dev/shm"));
    private static final AbsolutePath HOME = AbsolutePath.of("/home");
    private static final AbsolutePath ROOTS_HOME = AbsolutePath.of("/root");

    private SecretPlaces() {}

    /** Why no grant of this path is proposed; absent where one may be. */
    static Optional<String> objection(AbsolutePath path, SandboxPolicy policy) {
        if (SHARED_FOLDERS.contains(path)) {
            return Optional.of(SHARED);
        }
        if (path.equals(ROOTS_HOME)
                || path.equals(HOME)
                || path.parent().filter(HOME::equals).isPresent()) {
            return Optional.of(HOMES);
        }
        // What lies in base_dir is the caller's project; its folder may be called secrets.
        List<String> names = policy.baseDir().contains(path)
                ? path.components()
                        .subList(
                                policy.baseDir().components().size(),
                                path.components().size())
                : path.components();
        boolean secret = names.stream().anyMatch(SecretPlaces::isSecret)
                || FOLDERS.stream().anyMatch(folder -> folder.contains(path));
        return secret ? Optional.of(SECRETS) : Optional.empty();
    }

    private static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return NAMES.contains(lower) || NAME.matcher(lower).matches();
    }
}
