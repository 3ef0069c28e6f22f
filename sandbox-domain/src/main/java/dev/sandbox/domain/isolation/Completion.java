package dev.sandbox.domain.isolation;

import dev.sandbox.domain.result.Termination;

/**
 * How an exchange ended.
 *
 * @param status the main process's end
 * @param termination why it ended: on its own, or who ended it
 * @param leftovers whether background children were still there and were ended
 */
public record Completion(ExitStatus status, Termination termination, Leftovers leftovers) {
    /** Children that outlived the main process. */
    public enum Leftovers {
        /** Nothing outlived it. */
        NONE,
        /** Background children were killed when the main process had ended. */
        ENDED
    }
}
