package dev.sandbox.domain.policy;

import java.util.OptionalLong;

/**
 * Another identity for the step.
 *
 * @param uid the user id; absent: the owner of work_dir
 * @param gid the group id; absent: the owner's, the caller's own, or the same number as the uid
 */
public record RunAs(OptionalLong uid, OptionalLong gid) {}
