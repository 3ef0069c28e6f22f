package dev.sandbox.domain.isolation;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/**
 * A started step. Either let {@link #exchange} move the bytes, or use the three streams yourself; not both. All methods may be
 * called from any thread; {@link #exchange} by one at a time.
 */
public interface SandboxedProcess extends AutoCloseable {
    /** The host's process id of the step (or of what stands for it: a container's init). */
    long pid();

    /** Feeds the step's standard input; closed at once when the step was given none. */
    OutputStream stdin();

    /** What the step prints on standard output. */
    InputStream stdout();

    /** What the step prints on standard error. */
    InputStream stderr();

    /**
     * Moves bytes until the step has ended, on the calling thread. On timeout: SIGTERM to the whole tree, the grace period,
     * SIGKILL. When the calling thread is interrupted the tree is ended in the same way, the interrupt flag stays set, and the
     * termination is {@code CANCELLED}. When it returns, nothing of the tree is left.
     */
    Completion exchange(Exchange exchange);

    /** Waits for the main process; absent when the time passed first. {@link Duration#ZERO} only looks. */
    Optional<ExitStatus> waitFor(Duration timeout) throws InterruptedException;

    /**
     * Gives the step's terminal another size, of which SIGWINCH tells the step. Harmless when it has ended.
     *
     * @throws IllegalStateException when it has no terminal
     */
    void resize(WindowSize size);

    /** The number of the signal that asks a process to end. */
    int SIGTERM = 15;

    /** Asks the exchange, from any thread, to end the tree as {@code CANCELLED}. */
    default void cancel() {
        cancel(SIGTERM);
    }

    /**
     * As {@link #cancel()}, with another signal in place of SIGTERM: its traps run, and after the grace period comes SIGKILL.
     *
     * @param signal its number, for example 2 for SIGINT
     */
    void cancel(int signal);

    /**
     * Sends a signal to every process of the step, and does no more. Harmless when it has ended.
     *
     * @param signal its number, for example 3 for SIGQUIT
     */
    void signal(int signal);

    /** SIGKILL to every process of the step, at once. Harmless when it has ended. */
    void destroyTree();

    /** Ends what is left of the tree and frees the descriptors. */
    @Override
    void close();
}
