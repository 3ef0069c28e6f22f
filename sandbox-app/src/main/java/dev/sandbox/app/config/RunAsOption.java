package dev.sandbox.app.config;

import dev.sandbox.domain.policy.RunAs;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** An identity as one word: {@code owner}, {@code nobody}, {@code nobody:users}, {@code 1000}, {@code 1000:100}. */
public final class RunAsOption {
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_.-]{0,31}");

    private RunAsOption() {}

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException for people
     */
    public static RunAs parse(String text) {
        return parse(text, Accounts.ofThisHost());
    }

    static RunAs parse(String text, Accounts accounts) {
        if (text.equals("owner")) {
            return new RunAs(OptionalLong.empty(), OptionalLong.empty());
        }
        int colon = text.indexOf(':');
        String user = colon < 0 ? text : text.substring(0, colon);
        OptionalLong uid = number(text, user, accounts.uid(user), "user");
        if (colon >= 0) {
            String group = text.substring(colon + 1);
            return new RunAs(uid, number(text, group, accounts.gid(group), "group"));
        }
        return new RunAs(uid, accounts.groupOf(user));
    }

    private static OptionalLong number(String text, String part, OptionalLong named, String what) {
        if (NUMBER.matcher(part).matches()) {
            return OptionalLong.of(Long.parseLong(part));
        }
        if (!NAME.matcher(part).matches()) {
            throw new IllegalArgumentException("\"" + text
                    + "\" is neither USER, USER:GROUP nor owner; write numbers in decimal, without leading zeros");
        }
        if (named.isEmpty()) {
            throw new IllegalArgumentException("there is no " + what + " \"" + part + "\" in /etc/"
                    + (what.equals("user") ? "passwd" : "group") + "; write a number");
        }
        return named;
    }
}
