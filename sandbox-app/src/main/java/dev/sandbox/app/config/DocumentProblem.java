package dev.sandbox.app.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.snakeyaml.error.MarkedYAMLException;

/** Why a text is neither YAML nor JSON, as the end of a sentence. */
public final class DocumentProblem {
    private DocumentProblem() {}

    /** {@code " at line 1, column 2: what is wrong"}; lines and columns count from 1. */
    @SuppressWarnings("deprecation") // Jackson throws this class still, and only it has the place of the problem.
    public static String of(JsonProcessingException e) {
        // The message of the YAML parser begins with what it was doing, and its place is where the last good token
        // ended.
        if (e instanceof MarkedYAMLException yaml && yaml.getProblemMark() != null) {
            return at(yaml.getProblemMark().getLine() + 1, yaml.getProblemMark().getColumn() + 1) + yaml.getProblem();
        }
        String what = e.getOriginalMessage().lines().findFirst().orElse("it is not YAML or JSON");
        return e.getLocation() == null
                ? ": " + what
                : at(e.getLocation().getLineNr(), e.getLocation().getColumnNr()) + what;
    }

    private static String at(int line, int column) {
        return " at line " + line + ", column " + column + ": ";
    }
}
