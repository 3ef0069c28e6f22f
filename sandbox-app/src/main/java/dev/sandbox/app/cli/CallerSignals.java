package dev.sandbox.app.cli;

import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.linux.SignalRelay;
import dev.sandbox.linux.uapi.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What signals to {@code sandbox run} do. The step has a session of its own, so none reaches it by itself. SIGTERM, SIGINT and SIGHUP end
 * the run: the step gets the same signal, then the grace period, then SIGKILL. SIGQUIT is only handed on: a Java program prints its
 * threads for it and goes on. Before the step runs, each of them ends the run.
 */
final class CallerSignals {
    private static final int SIGNAL_BASE = 128;
    /** For a start that does not come to its end, such as one that waits for an engine. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private OptionalInt received = OptionalInt.empty();
    private Optional<SandboxedProcess> step = Optional.empty();
    private boolean over;

    private CallerSignals() {}

    /** The caller ended the run before its command started. */
    @SuppressWarnings("serial")
    static final class EndedBeforeStart extends RuntimeException {
        private final int signal;

        private EndedBeforeStart(int signal) {
            super("signal " + signal + " came before the command started; nothing ran");
            this.signal = signal;
        }

        int exitCode() {
            return SIGNAL_BASE + signal;
        }
    }

    /** From now on they come here. */
    static CallerSignals install() {
        CallerSignals signals = new CallerSignals();
        for (int signal : List.of(Signals.SIGTERM, Signals.SIGINT, Signals.SIGHUP)) {
            SignalRelay.receive(signal, signals::end);
        }
        SignalRelay.receive(Signals.SIGQUIT, signals::quit);
        return signals;
    }

    private void end(int signal) {
        lock.lock();
        try {
            if (over) {
                // Nobody is left who would end this process.
                exit(signal);
                return;
            }
            boolean first = received.isEmpty();
            if (first) {
                received = OptionalInt.of(signal);
            }
            if (step.isEmpty() && first) {
                endTheStart(signal);
            } else if (first) {
                step.get().cancel(signal);
            } else {
                step.ifPresent(running -> running.signal(signal));
            }
        } finally {
            lock.unlock();
        }
    }

    private void quit(int signal) {
        lock.lock();
        try {
            if (step.isPresent()) {
                step.get().signal(signal);
            } else {
                end(signal);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void exit(int signal) {
        Thread exit = new Thread(() -> System.exit(SIGNAL_BASE + signal), "sandbox-exit");
        exit.setDaemon(true);
        exit.start();
    }

    /** Exits when the start has not noticed in time; what has been opened until then is closed by the shutdown hooks. */
    private void endTheStart(int signal) {
        Thread patience = new Thread(() -> exitUnlessNoticed(signal), "sandbox-patience");
        patience.setDaemon(true);
        patience.start();
    }

    private void exitUnlessNoticed(int signal) {
        lock.lock();
        try {
            long left = GRACE.toNanos();
            while (left > 0 && step.isEmpty() && !over) {
                left = changed.awaitNanos(left);
            }
            if (step.isPresent() || over) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } finally {
            lock.unlock();
        }
        System.exit(SIGNAL_BASE + signal);
    }

    /** The last look before the step starts. */
    void check() {
        lock.lock();
        try {
            if (received.isPresent()) {
                throw new EndedBeforeStart(received.getAsInt());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The step runs: what came meanwhile is for it. */
    void started(SandboxedProcess process) {
        lock.lock();
        try {
            step = Optional.of(process);
            changed.signalAll();
            received.ifPresent(process::cancel);
        } finally {
            lock.unlock();
        }
    }

    /** The run is over, however it ended; no signal is for its step any more. */
    void over() {
        lock.lock();
        try {
            over = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** 128+N when signal N ended the run. */
    OptionalInt exitCode() {
        lock.lock();
        try {
            return received.isPresent() ? OptionalInt.of(SIGNAL_BASE + received.getAsInt()) : OptionalInt.empty();
        } finally {
            lock.unlock();
        }
    }
}
