package dev.sandbox.domain.result;

/**
 * What a run can be held to afterwards.
 *
 * @param policyDigest SHA-256 of the canonical resolved policy, in hexadecimal
 * @param backendDetail what the backend said of itself, for example {@code filesystem ABI 7; preflight passed}
 */
public record Receipt(String policyDigest, String backendDetail) {}
