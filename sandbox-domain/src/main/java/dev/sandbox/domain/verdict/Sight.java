package dev.sandbox.domain.verdict;

/** How much of the host a verdict may tell of to whom it is told. */
public enum Sight {
    /** All that this account can see: for the operator. */
    OPERATOR,
    /** What the policy grants, and the host's system folders: for a step that has a file system of its own. */
    STEP,
    /** What the policy grants: for a step whose system folders are an image's. */
    STEP_IN_IMAGE
}
