package dev.sandbox.domain.result;

import dev.sandbox.domain.policy.Limits;
import java.time.Duration;

/**
 * What a run can be held to afterwards.
 *
 * @param policyDigest SHA-256 of the canonical resolved policy, in hexadecimal
 * @param backendDetail what the backend said of itself, for example {@code filesystem ABI 7; preflight passed}
 * @param limits the bounds that the run had
 * @param preparation wall time from the policy as written to a session that is ready: resolving, choosing, proving, planning
 */
public record Receipt(String policyDigest, String backendDetail, Limits limits, Duration preparation) {}
