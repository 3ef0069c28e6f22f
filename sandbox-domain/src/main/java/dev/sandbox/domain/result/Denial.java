package dev.sandbox.domain.result;

/**
 * Something that the sandbox kept from the step.
 *
 * @param path what was denied
 * @param operation read, list, write, create or exec
 * @param source whether the kernel told it or it was inferred from the command's words
 * @param rule the deciding rule, for people
 * @param fix the smallest change of policy that would allow it; empty when none can
 */
public record Denial(String path, String operation, Source source, String rule, String fix) {
    /** How the denial became known. */
    public enum Source {
        KERNEL,
        INFERRED
    }
}
