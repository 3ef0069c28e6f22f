package dev.sandbox.domain.resolve;

/**
 * Where a rule comes from.
 *
 * @param key the policy key, or {@code baseline}, {@code sandbox} for what the sandbox adds by itself
 * @param index the position in the key's list, from 0; negative when the key is no list
 * @param written the path as its author wrote it
 */
public record RuleSource(String key, int index, String written) {
    /** The system baseline. */
    public static final String BASELINE = "baseline";

    /** Tools on the caller's PATH, see {@link dev.sandbox.domain.policy.Toolchains}. */
    public static final String TOOLCHAINS = "toolchains";

    /** What the sandbox adds by itself for one run. */
    public static final String SANDBOX = "sandbox";

    /** What the policy shares of the host's /dev, for backends that have none of the step's own. */
    public static final String HOST_DEVICES = "host_devices";

    /** What a person trusts: held where the backend can, see {@link dev.sandbox.domain.policy.TrustHandoff}. */
    public static final String TRUST = "trust_handoff";

    /** For people: {@code read_paths[1] "in"}. */
    @Override
    public String toString() {
        return (index < 0 ? key : key + "[" + index + "]") + " \"" + written + "\"";
    }

    /** The key with its index, without the text. */
    public String where() {
        return index < 0 ? key : key + "[" + index + "]";
    }
}
