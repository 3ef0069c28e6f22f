package dev.sandbox.linux.uapi;

/**
 * posix_spawn(3). The sizes are upper bounds: glibc's are 336, 80 and 128 bytes, musl's are no larger.
 *
 * <p>Source: glibc posix/spawn.h, musl include/spawn.h.
 */
public final class Spawn {
    public static final short POSIX_SPAWN_SETSIGDEF = 0x04;
    public static final short POSIX_SPAWN_SETSIGMASK = 0x08;
    public static final short POSIX_SPAWN_SETSID = 0x80;

    public static final int ATTR_SIZE = 512;
    public static final int FILE_ACTIONS_SIZE = 128;
    public static final int SIGSET_SIZE = 128;

    private Spawn() {}
}
