package dev.sandbox.domain.verdict;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.resolve.AccessRule;
import java.util.List;
import java.util.Optional;

/**
 * The answer to "may this path be read, written, ...".
 *
 * @param asked the path as asked
 * @param operation the operation asked about
 * @param decision allowed or denied, by the policy; the file's own permissions come on top
 * @param resolved where the links in the path lead
 * @param kind what stands there
 * @param steps the links followed
 * @param rule the rule that decided; absent when no grant covers the path
 * @param reason for people
 * @param fix the smallest change of policy that would allow it, for example {@code read_paths: [/x]}; empty when allowed, or when none
 *     can: a block takes it, or the reason says what stands in the way
 */
public record Verdict(
        AbsolutePath asked,
        Operation operation,
        Decision decision,
        AbsolutePath resolved,
        EntryKind kind,
        List<String> steps,
        Optional<AccessRule> rule,
        String reason,
        String fix) {
    /** The two answers. */
    public enum Decision {
        ALLOWED,
        DENIED
    }

    /** True when allowed. */
    public boolean isAllowed() {
        return decision == Decision.ALLOWED;
    }
}
