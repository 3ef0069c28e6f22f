package dev.sandbox.docker;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value of an engine's answer, which may lack whatever it should have: then it reads as nothing.
 *
 * @param value a map, a list, a text, a whole number, a truth value or {@link #ABSENT}
 */
record Answer(Object value) {
    static final Object ABSENT = new Object();
    static final Answer NOTHING = new Answer(ABSENT);

    /** A member of an object. */
    Answer at(String name) {
        return value instanceof Map<?, ?> members && members.get(name) != null
                ? new Answer(members.get(name))
                : NOTHING;
    }

    /** The items of an array. */
    List<Answer> items() {
        return value instanceof List<?> items ? items.stream().map(Answer::new).toList() : List.of();
    }

    Optional<String> text() {
        return value instanceof String text ? Optional.of(text) : Optional.empty();
    }

    String text(String otherwise) {
        return text().orElse(otherwise);
    }

    /** 0 when it is none. */
    long number() {
        return value instanceof Long number ? number : 0;
    }

    boolean isTrue() {
        return Boolean.TRUE.equals(value);
    }
}
