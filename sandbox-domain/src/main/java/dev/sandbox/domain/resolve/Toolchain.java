package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A tool of the caller's own that was found on its PATH.
 *
 * @param tool its name, for people
 * @param root its folder, canonical
 * @param entry its folder of programs, canonical; absent for what comes along with another tool
 * @param grants what a program of it needs, canonical; no link leads there
 * @param variables what the tool is told
 */
public record Toolchain(
        String tool,
        AbsolutePath root,
        Optional<AbsolutePath> entry,
        SortedMap<AbsolutePath, EntryKind> grants,
        Map<String, String> variables) {}
