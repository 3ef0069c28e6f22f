package dev.sandbox.linux;

/** The sandbox could not be set up: a confinement step, the working directory, or the spawn itself failed. Nothing runs. */
public final class ConfinementException extends RuntimeException {
    /** The step's name when the child could not start where it was to. */
    public static final String WORKING_DIRECTORY = "working_directory";

    private static final long serialVersionUID = 1L;

    private final String stepName;
    private final int errno;

    public ConfinementException(String stepName, int errno) {
        super(stepName + ": " + Errno.describe(errno));
        this.stepName = stepName;
        this.errno = errno;
    }

    /** The step that failed, as it names itself. */
    public String stepName() {
        return stepName;
    }

    /** Why; see {@link Errno}. */
    public int errno() {
        return errno;
    }
}
