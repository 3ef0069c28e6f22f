package dev.sandbox.docker;

/**
 * As whom a step runs.
 *
 * @param uid user id inside the container
 * @param gid group id inside the container
 */
public record ContainerUser(long uid, long gid) {
    /** Nobody's files, on any distribution that we know of. */
    private static final long KEEPER = 65534;

    /** As the engine takes it. */
    public String spec() {
        return uid + ":" + gid;
    }

    /** Another user, for the process that keeps the container alive: a step cannot signal it, not even a step of uid 0. */
    public ContainerUser keeper() {
        long other = uid == KEEPER ? KEEPER - 1 : KEEPER;
        return new ContainerUser(other, other);
    }
}
