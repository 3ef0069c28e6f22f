package dev.sandbox.app.selftest;

import dev.sandbox.domain.result.ExecutionResult;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Tells from a run, and from the victims, how an attack went. A run that says nothing definite was not tried. */
@FunctionalInterface
interface Evidence {
    /** A script's last word when its attack succeeded. */
    String ESCAPED = "ESCAPED";

    /** A script's last word when its attack failed. */
    String DENIED = "DENIED";

    /** A script's last word when this host lacks what the attack takes. */
    String UNTRIED = "UNTRIED";

    /** EOPNOTSUPP, ENOSYS of the emulated kind: the file system or the kernel has no such thing. */
    int NOT_SUPPORTED = 95;

    Finding of(ExecutionResult result, Victims victims);

    /** A script's last line decides. */
    static Evidence lastWord() {
        return (result, victims) -> {
            String word = result.stdout().strip();
            if (word.endsWith(ESCAPED)) {
                return Finding.escaped("");
            }
            return word.endsWith(DENIED) ? Finding.denied() : Finding.untried(unsaid(result));
        };
    }

    private static String unsaid(ExecutionResult result) {
        String out = result.stdout().strip();
        int word = out.lastIndexOf(UNTRIED);
        return word >= 0
                ? out.substring(word + UNTRIED.length()).strip()
                : "ended with " + result.exitCode() + ": "
                        + result.stderr().lines().findFirst().orElse("");
    }

    /**
     * The probe program's exit code decides: it is the errno of the call that failed.
     *
     * @param reached the errnos that the kernel gives only after it let the call through; success is one always
     */
    static Evidence unlessDenied(int... reached) {
        Set<Integer> escapes = IntStream.concat(IntStream.of(0), IntStream.of(reached))
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
        return (result, victims) -> {
            if (result.signal().isEmpty() && result.exitCode() == NOT_SUPPORTED) {
                return Finding.untried("not supported here");
            }
            return result.signal().isEmpty() && escapes.contains(result.exitCode())
                    ? Finding.escaped(result.exitCode() == 0 ? "" : "the call came through: errno " + result.exitCode())
                    : Finding.denied();
        };
    }

    /** It escaped when it printed the victim's text. */
    static Evidence prints(String text) {
        return (result, victims) -> result.stdout().contains(text) ? Finding.escaped("") : Finding.denied();
    }
}
