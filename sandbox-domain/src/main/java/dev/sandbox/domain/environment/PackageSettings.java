package dev.sandbox.domain.environment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What of the caller's package managers is carried over into a private HOME: addresses, proxies, CA files and git's author, never a
 * credential. As variables where the tool has them, else as files that are written when none is there. Immutable.
 *
 * @param variables weaker than what the caller's environment sets
 * @param home files by their place below HOME
 * @param cargo Cargo's settings, for CARGO_HOME; may be empty
 * @param left how many settings that are usually carried over were not, because they might hold a credential or name what the step
 *     may not read
 */
public record PackageSettings(
        Map<String, String> variables, Map<String, String> home, String cargo, List<String> left) {
    /** Nothing. */
    public static final PackageSettings NONE = new PackageSettings(Map.of(), Map.of(), "", List.of());

    public PackageSettings {
        variables = Map.copyOf(variables);
        home = Map.copyOf(home);
        left = List.copyOf(left);
    }

    /** A package manager whose settings are known. */
    public enum Tool {
        PIP,
        NPM,
        MAVEN,
        CARGO,
        GIT;

        /** Where its settings are, below the home. */
        public List<String> files() {
            return switch (this) {
                case PIP -> List.of(".config/pip/pip.conf", ".pip/pip.conf");
                case NPM -> List.of(".npmrc");
                case MAVEN -> List.of(".m2/settings.xml");
                case CARGO -> List.of(".cargo/config.toml");
                case GIT -> List.of(".gitconfig", ".config/git/config");
            };
        }
    }

    /**
     * What may be carried over.
     *
     * @param texts the files' texts, by tool
     * @param readable whether the step may read the file with this absolute path, for CA files
     */
    public static PackageSettings of(Map<Tool, String> texts, Predicate<String> readable) {
        Reader reader = new Reader(readable);
        new TreeMap<>(texts).forEach(reader::read);
        return new PackageSettings(reader.variables, reader.home, reader.cargo.toString(), reader.left);
    }

    /** Collects from one file after the other. */
    private static final class Reader {
        private final Predicate<String> readable;
        private final Map<String, String> variables = new TreeMap<>();
        private final Map<String, String> home = new TreeMap<>();
        private final StringBuilder cargo = new StringBuilder();
        private final List<String> left = new ArrayList<>();

        private Reader(Predicate<String> readable) {
            this.readable = readable;
        }

        private void read(Tool tool, String text) {
            switch (tool) {
                case PIP -> SettingsText.parse(text).forEach(this::pip);
                case NPM -> SettingsText.parse(text).forEach(this::npm);
                case MAVEN -> maven(MavenSettings.of(text));
                case CARGO -> SettingsText.parse(text).forEach(this::cargo);
                case GIT -> git(SettingsText.parse(text));
            }
        }

        /** pip.pypa.io/en/stable/topics/configuration: each option is a variable, several values are split at blanks. */
        private void pip(SettingsText.Entry entry) {
            if (!entry.section().equalsIgnoreCase("global") && !entry.section().equalsIgnoreCase("install")) {
                return;
            }
            switch (entry.key().replace('_', '-')) {
                case "index-url" -> words("pip", "PIP_INDEX_URL", entry, CarriedValue::isAddress);
                case "extra-index-url" -> words("pip", "PIP_EXTRA_INDEX_URL", entry, CarriedValue::isAddress);
                case "trusted-host" -> words("pip", "PIP_TRUSTED_HOST", entry, CarriedValue::isHost);
                case "proxy" -> words("pip", "PIP_PROXY", entry, Reader::isProxy);
                case "cert" -> words("pip", "PIP_CERT", entry, this::isReadable);
                default -> {}
            }
        }

        /** docs.npmjs.com/cli/using-npm/config: npm_config_ and the name, a scope's registry included. */
        private void npm(SettingsText.Entry entry) {
            String key = entry.key();
            boolean scoped = key.startsWith("@") && key.endsWith(":registry") && CarriedValue.isWord(key);
            if (key.equals("registry") || scoped) {
                words("npm", "npm_config_" + key, entry, CarriedValue::isAddress);
            } else if (key.equals("proxy") || key.equals("https-proxy")) {
                words("npm", "npm_config_" + key.replace('-', '_'), entry, Reader::isProxy);
            } else if (key.equals("noproxy")) {
                words("npm", "npm_config_noproxy", entry, CarriedValue::isWord);
            } else if (key.equals("cafile")) {
                words("npm", "npm_config_cafile", entry, this::isReadable);
            }
        }

        private void maven(MavenSettings settings) {
            for (int i = 0; i < settings.left(); i++) {
                left.add("maven");
            }
            if (!settings.isEmpty()) {
                home.put(".m2/settings.xml", settings.text());
            }
        }

        /** doc.rust-lang.org/cargo/reference/config.html: a replaced source has no variable, so all of it is a file. */
        private void cargo(SettingsText.Entry entry) {
            String section = entry.section();
            boolean source = section.startsWith("source.") || section.startsWith("registries.");
            boolean carried = switch (entry.key()) {
                case "registry", "index" -> source && CarriedValue.isAddress(entry.value());
                case "replace-with" -> source && CarriedValue.isWord(entry.value());
                case "proxy" -> section.equals("http") && isProxy(entry.value());
                case "cainfo" -> section.equals("http") && isReadable(entry.value());
                case "git-fetch-with-cli" ->
                    section.equals("net") && entry.value().equals("true");
                default -> false;
            };
            if (carried && CarriedValue.isName(section)) {
                String value = entry.key().equals("git-fetch-with-cli") ? "true" : "\"" + entry.value() + "\"";
                // A dotted key, since a table may not be opened twice.
                cargo.append(section)
                        .append('.')
                        .append(entry.key())
                        .append(" = ")
                        .append(value)
                        .append('\n');
            } else if (List.of("registry", "index", "proxy", "cainfo").contains(entry.key())) {
                left.add("cargo");
            }
        }

        private void git(List<SettingsText.Entry> entries) {
            StringBuilder text = new StringBuilder();
            for (SettingsText.Entry entry : entries) {
                String name = (entry.section() + "." + entry.key()).toLowerCase(Locale.ROOT);
                boolean known = true;
                boolean carried = false;
                switch (name) {
                    case "user.name", "user.email" -> carried = CarriedValue.isAuthor(entry.value());
                    case "http.proxy", "https.proxy" -> carried = isProxy(entry.value());
                    case "http.sslcainfo" -> carried = isReadable(entry.value());
                    default -> known = false;
                }
                if (carried) {
                    text.append('[').append(entry.section()).append("]\n\t");
                    text.append(entry.key())
                            .append(" = \"")
                            .append(entry.value())
                            .append("\"\n");
                } else if (known) {
                    left.add("git");
                }
            }
            if (!text.isEmpty()) {
                home.put(".gitconfig", text.toString());
            }
        }

        private void words(String tool, String variable, SettingsText.Entry entry, Predicate<String> allowed) {
            List<String> carried = new ArrayList<>();
            for (String word : entry.value().split("\\s+", -1)) {
                if (allowed.test(word)) {
                    carried.add(word);
                } else if (!word.isEmpty()) {
                    left.add(tool);
                }
            }
            if (!carried.isEmpty()) {
                variables.put(variable, String.join(" ", carried));
            }
        }

        private static boolean isProxy(String text) {
            return CarriedValue.isAddress(text) || (!text.contains("/") && CarriedValue.isHost(text));
        }

        private boolean isReadable(String path) {
            return CarriedValue.isPath(path) && readable.test(path);
        }
    }

    @Override
    public String toString() {
        return "PackageSettings{variables=" + variables.keySet() + ", files=" + home.keySet() + "}";
    }
}
