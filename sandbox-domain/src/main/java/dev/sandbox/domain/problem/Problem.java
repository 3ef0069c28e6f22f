package dev.sandbox.domain.problem;

/**
 * One thing that is wrong: where, what, and how to fix it.
 *
 * @param where the policy key with its index, for example {@code read_paths[1]}; may be empty
 * @param what the fault, with the offending value
 * @param fix what to do; may be empty
 */
public record Problem(String where, String what, String fix) {
    /** One line for people: {@code read_paths[1]: "../x" leaves base_dir; fix}. Line breaks in values are shown as {@code \n}. */
    public String line() {
        String text = (where.isEmpty() ? "" : where + ": ") + what + (fix.isEmpty() ? "" : "; " + fix);
        return oneLine(text);
    }

    /** Shows control characters, so that a hostile name can neither break the line nor drive a terminal. */
    public static String oneLine(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                shown.append("\\n");
            } else if (Character.isISOControl(c)) {
                shown.append(String.format("\\x%02x", (int) c));
            } else {
                shown.append(c);
            }
        }
        return shown.toString();
    }
}
