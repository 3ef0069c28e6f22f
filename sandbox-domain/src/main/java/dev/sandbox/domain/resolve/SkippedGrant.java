package dev.sandbox.domain.resolve;

/**
 * A grant that was left out.
 *
 * @param source who asked for it
 * @param path where it leads
 * @param reason why it was left out
 */
public record SkippedGrant(RuleSource source, String path, String reason) {
    /** For people: {@code read_paths[0] "x" skipped: it does not exist}. */
    public String note() {
        return source + " skipped: " + reason;
    }
}
