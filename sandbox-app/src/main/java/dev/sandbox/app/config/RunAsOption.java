package dev.sandbox.app.config;

import dev.sandbox.domain.policy.RunAs;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** An identity as one word: {@code owner}, {@code 1000}, {@code 1000:100}. */
public final class RunAsOption {
    private static final Pattern NUMBERS = Pattern.compile("(0|[1-9][0-9]{0,8})(:(0|[1-9][0-9]{0,8}))?");

    private RunAsOption() {}

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException for people
     */
    public static RunAs parse(String text) {
        if (text.equals("owner")) {
            return new RunAs(OptionalLong.empty(), OptionalLong.empty());
        }
        if (!NUMBERS.matcher(text).matches()) {
            throw new IllegalArgumentException("\"" + text
                    + "\" is neither UID, UID:GID nor owner; write numbers in decimal, without leading zeros");
        }
        String[] parts = text.split(":");
        OptionalLong gid = parts.length == 2 ? OptionalLong.of(Long.parseLong(parts[1])) : OptionalLong.empty();
        return new RunAs(OptionalLong.of(Long.parseLong(parts[0])), gid);
    }
}
