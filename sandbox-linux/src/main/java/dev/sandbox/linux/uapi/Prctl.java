package dev.sandbox.linux.uapi;

/**
 * Operations of prctl(2).
 *
 * <p>Source: include/uapi/linux/prctl.h.
 */
public final class Prctl {
    public static final int PR_SET_PDEATHSIG = 1;
    public static final int PR_CAPBSET_READ = 23;
    public static final int PR_CAPBSET_DROP = 24;
    public static final int PR_SET_SECUREBITS = 28;
    public static final int PR_SET_NO_NEW_PRIVS = 38;
    public static final int PR_GET_NO_NEW_PRIVS = 39;
    public static final int PR_CAP_AMBIENT = 47;
    public static final int PR_CAP_AMBIENT_CLEAR_ALL = 4;

    private Prctl() {}
}
