package dev.sandbox.domain.result;

import dev.sandbox.domain.policy.Limits;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a run can be held to afterwards. Immutable and thread-safe. */
public final class Receipt {
    private final Supplier<String> digest;
    private final String backendDetail;
    private final Limits limits;
    private final Duration preparation;
    private volatile @Nullable String policyDigest;

    /**
     * A receipt.
     *
     * @param digest what {@link #policyDigest} gives, the same each time; asked when that is first wanted, which for most runs is
     *     never, and to hash takes the JDK as long as to start a step
     * @param backendDetail what {@link #backendDetail} gives
     * @param limits the bounds that the run had
     * @param preparation what {@link #preparation} gives
     */
    public Receipt(Supplier<String> digest, String backendDetail, Limits limits, Duration preparation) {
        this.digest = digest;
        this.backendDetail = backendDetail;
        this.limits = limits;
        this.preparation = preparation;
    }

    /** SHA-256 of the canonical resolved policy, in hexadecimal. */
    public String policyDigest() {
        String known = policyDigest;
        if (known == null) {
            known = digest.get();
            policyDigest = known;
        }
        return known;
    }

    /** What the backend said of itself, for example {@code filesystem ABI 7; preflight passed}. */
    public String backendDetail() {
        return backendDetail;
    }

    /** The bounds that the run had. */
    public Limits limits() {
        return limits;
    }

    /** Wall time from the policy as written to a session that is ready: resolving, choosing, proving, planning. */
    public Duration preparation() {
        return preparation;
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof Receipt other
                && policyDigest().equals(other.policyDigest())
                && backendDetail.equals(other.backendDetail)
                && limits.equals(other.limits)
                && preparation.equals(other.preparation);
    }

    @Override
    public int hashCode() {
        return Objects.hash(policyDigest(), backendDetail, limits, preparation);
    }

    @Override
    public String toString() {
        return "Receipt[policyDigest=" + policyDigest() + ", backendDetail=" + backendDetail + ", limits=" + limits
                + ", preparation=" + preparation + "]";
    }
}
