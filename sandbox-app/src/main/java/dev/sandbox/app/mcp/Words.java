package dev.sandbox.app.mcp;

import dev.sandbox.app.config.Enforcement;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.result.Denial;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.domain.result.RunError;
import dev.sandbox.domain.verdict.Verdict;

/** Results in words for a model, which reads this and acts on it. */
final class Words {
    private static final String ASK = "Do not retry, and do not look for a way around: it will be denied again. "
            + "If the task needs it, ask the user for the grant.";

    /** Of one stream, in characters: more is no help to a model, and the structured content has it. */
    private static final int LONGEST = 256 * 1024;

    private Words() {}

    static String of(ExecutionResult result) {
        StringBuilder words = new StringBuilder();
        words.append(ending(result)).append('\n');
        section(words, "stdout", result.stdout());
        section(words, "stderr", result.stderr());
        result.denials().forEach(denial -> words.append(of(denial)).append('\n'));
        if (!result.denials().isEmpty()) {
            words.append(ASK).append('\n');
        }
        result.notes()
                .forEach(note ->
                        words.append("Note: ").append(Problem.oneLine(note)).append('\n'));
        return words.toString();
    }

    private static String ending(ExecutionResult result) {
        return switch (result.termination()) {
            case EXITED -> "The command exited with code " + result.exitCode() + ".";
            case SIGNALED ->
                "The command was killed by signal " + result.signal().orElse(0) + ".";
            case TIMED_OUT -> "The command took too long and was killed, with everything that it had started.";
            case OUTPUT_LIMIT -> "The command printed too much and was ended.";
            case CANCELLED -> "The command was cancelled.";
            case NOT_STARTED ->
                "The command did not start: "
                        + Problem.oneLine(result.error().map(RunError::message).orElse("")) + ".";
            case MEMORY_LIMIT -> "The command used more memory than it may and was killed.";
        };
    }

    private static void section(StringBuilder words, String name, String text) {
        if (!text.isEmpty()) {
            words.append(name).append(":\n").append(cut(text)).append(text.endsWith("\n") ? "" : "\n");
        }
    }

    /** Head and tail of what is too long; no character that is two of Java's is cut. */
    private static String cut(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        int head = LONGEST / 2 - (Character.isHighSurrogate(text.charAt(LONGEST / 2 - 1)) ? 1 : 0);
        int tail = text.length() - LONGEST / 2;
        tail += Character.isLowSurrogate(text.charAt(tail)) ? 1 : 0;
        return text.substring(0, head) + "\n[... " + (tail - head)
                + " characters left out; the structured content has them ...]\n" + text.substring(tail);
    }

    static String of(Denial denial) {
        String fix = denial.fix().isEmpty()
                ? " No grant can allow it."
                : " The grant that would allow it: " + denial.fix() + ".";
        return Problem.oneLine(
                "The sandbox denied " + denial.operation() + " of " + denial.path() + ": " + denial.rule() + "." + fix);
    }

    static String of(Verdict verdict, Enforcement enforcement) {
        String answer = "The policy " + (verdict.isAllowed() ? "allows" : "denies") + " "
                + verdict.operation().id() + " of " + verdict.asked() + ": " + verdict.reason() + ".";
        String fix = verdict.fix().isEmpty() ? "" : " The grant that would allow it: " + verdict.fix() + ".";
        String ask = verdict.isAllowed() ? "" : " " + ASK;
        String refusal =
                enforcement.refusal().map(why -> " Nothing runs now: " + why).orElse("");
        return Problem.oneLine(answer + fix + ask + refusal);
    }
}
