package dev.sandbox.domain.path;

/**
 * A user and a group by their numbers: who owns a file, or as whom a process acts.
 *
 * @param uid the user id
 * @param gid the group id
 */
public record Identity(long uid, long gid) {
    /** True for uid 0. */
    public boolean isRoot() {
        return uid == 0;
    }

    /** As a policy names it, for example {@code 1000:100}. */
    @Override
    public String toString() {
        return uid + ":" + gid;
    }
}
