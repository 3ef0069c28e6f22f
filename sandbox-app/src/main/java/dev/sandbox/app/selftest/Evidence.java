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

    /** What a filter kills by, where it does not answer with an errno. */
    int SIGSYS = 31;

    /**
     * By which the kernel refuses: EPERM, EACCES, EROFS and EXDEV; what is out of sight: ENOENT, ESRCH, EBADF, ENOTDIR, ENXIO; what is
     * taken away: ENOSYS, EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT; a network that is not there: ENETUNREACH, EHOSTUNREACH,
     * ECONNREFUSED.
     */
    Set<Integer> REFUSALS = Set.of(1, 13, 30, 18, 2, 3, 9, 20, 6, 38, 97, 93, 94, 101, 113, 111);

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
     * The probe program's exit code decides: it is the errno of the call that failed. Only errnos by which the kernel refuses are a
     * denial. Any other, and an exit code of whoever could not start the program, says that nothing was tried.
     *
     * @param reached the errnos that the kernel gives only after it let the call through; success is one always
     */
    static Evidence unlessDenied(int... reached) {
        Set<Integer> escapes = IntStream.concat(IntStream.of(0), IntStream.of(reached))
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
        return (result, victims) -> {
            int code = result.exitCode();
            if (result.signal().isPresent()) {
                return result.signal().getAsInt() == SIGSYS ? Finding.denied() : Finding.untried(unsaid(result));
            }
            if (escapes.contains(code)) {
                return Finding.escaped(code == 0 ? "" : "the call came through: errno " + code);
            }
            if (code == NOT_SUPPORTED) {
                return Finding.untried("not supported here");
            }
            return REFUSALS.contains(code) ? Finding.denied() : Finding.untried(unsaid(result));
        };
    }

    /** As {@link #unlessDenied}, for a call that this errno refuses, which means something else elsewhere. */
    static Evidence unlessRefusedBy(int errno) {
        Evidence other = unlessDenied();
        return (result, victims) ->
                result.signal().isEmpty() && result.exitCode() == errno ? Finding.denied() : other.of(result, victims);
    }

    /** It escaped when it printed the victim's text, and was denied when a call was refused. */
    static Evidence prints(String text) {
        return (result, victims) -> {
            if (result.stdout().contains(text)) {
                return Finding.escaped("");
            }
            boolean refused = result.signal().isEmpty() && REFUSALS.contains(result.exitCode());
            return refused ? Finding.denied() : Finding.untried(unsaid(result));
        };
    }
}
