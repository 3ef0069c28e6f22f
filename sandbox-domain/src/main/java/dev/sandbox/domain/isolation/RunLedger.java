package dev.sandbox.domain.isolation;

/** The port through which a sandbox tells other processes what it runs. No method throws or waits for long. Thread-safe. */
public interface RunLedger {
    /** A step runs from now on. */
    void started(RunningStep step);

    /** The step of this id runs no more. */
    void ended(long id);

    /** One that tells nobody. */
    static RunLedger none() {
        return new RunLedger() {
            @Override
            public void started(RunningStep step) {}

            @Override
            public void ended(long id) {}
        };
    }
}
