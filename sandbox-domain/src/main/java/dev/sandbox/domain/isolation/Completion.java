package dev.sandbox.domain.isolation;

import dev.sandbox.domain.result.Termination;
import java.util.List;
import java.util.stream.Stream;

/**
 * How an exchange ended.
 *
 * @param status the main process's end
 * @param termination why it ended: on its own, or who ended it
 * @param leftovers whether background children were still there and were ended
 * @param notes what else is to be told, for example which limit struck
 */
public record Completion(ExitStatus status, Termination termination, Leftovers leftovers, List<String> notes) {
    public Completion {
        notes = List.copyOf(notes);
    }

    /** One without notes. */
    public Completion(ExitStatus status, Termination termination, Leftovers leftovers) {
        this(status, termination, leftovers, List.of());
    }

    /** The same with one more note. */
    public Completion withNote(String note) {
        return new Completion(
                status,
                termination,
                leftovers,
                Stream.concat(notes.stream(), Stream.of(note)).toList());
    }

    /** Children that outlived the main process. */
    public enum Leftovers {
        /** Nothing outlived it. */
        NONE,
        /** Background children were killed when the main process had ended. */
        ENDED
    }
}
