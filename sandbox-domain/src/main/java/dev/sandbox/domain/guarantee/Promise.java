package dev.sandbox.domain.guarantee;

/**
 * What a backend says of one guarantee on this host.
 *
 * @param state whether it holds
 * @param reason by which mechanism it holds, or why it does not
 * @param remedy the least-privilege change that would give it; empty when it holds or nothing can
 */
public record Promise(State state, String reason, String remedy) {
    /** Whether the guarantee holds. */
    public enum State {
        HELD,
        /** When the policy requires it by name: it costs something that others need. */
        ON_REQUEST,
        MISSING
    }

    /** It holds, by this mechanism. */
    public static Promise held(String reason) {
        return new Promise(State.HELD, reason, "");
    }

    /** It holds for policies that require it. */
    public static Promise onRequest(String reason, String how) {
        return new Promise(State.ON_REQUEST, reason, how);
    }

    /** It does not hold, and this would give it. */
    public static Promise missing(String reason, String remedy) {
        return new Promise(State.MISSING, reason, remedy);
    }

    /** True when it holds for every policy. */
    public boolean isHeld() {
        return state == State.HELD;
    }

    /** True when it holds for a policy that needs it. */
    public boolean isAvailable() {
        return state != State.MISSING;
    }
}
