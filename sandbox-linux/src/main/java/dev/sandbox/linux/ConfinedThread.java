package dev.sandbox.linux;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A throw-away thread that is confined, spawns, and ends. Always a fresh platform thread: what is done to it cannot be undone,
 * so a pooled one would stay confined, and so would the carrier of a virtual one.
 */
final class ConfinedThread implements Runnable {
    private final ConfinementStep[] steps;
    private final @Nullable PreparedSpawn spawn;
    private int failedStep = -1;
    private int errno;
    private @Nullable Throwable crash;

    private ConfinedThread(List<ConfinementStep> steps, @Nullable PreparedSpawn spawn) {
        // An array: walking a list could load the class of its iterator.
        this.steps = steps.toArray(new ConfinementStep[0]);
        this.spawn = spawn;
    }

    /** Runs the steps and then the spawn, if any, on a new thread; returns when that thread has ended. */
    static ConfinedThread run(List<ConfinementStep> steps, @Nullable PreparedSpawn spawn) {
        ConfinedThread confined = new ConfinedThread(steps, spawn);
        Thread thread = new Thread(null, confined, "sandbox-confined", 0, false);
        thread.setDaemon(true);
        thread.start();
        joinUninterruptibly(thread);
        if (confined.crash != null) {
            throw new IllegalStateException("a confinement step threw", confined.crash);
        }
        return confined;
    }

    @Override
    public void run() {
        try {
            confineAndSpawn();
        } catch (Throwable t) {
            // Nothing was spawned: spawn() itself does not throw. Told on the caller's thread.
            crash = t;
        }
    }

    private void confineAndSpawn() {
        for (int i = 0; i < steps.length; i++) {
            errno = steps[i].apply();
            if (errno != 0) {
                failedStep = i;
                return;
            }
        }
        errno = spawn == null ? 0 : spawn.spawn();
    }

    /** 0 when the child runs. */
    int errno() {
        return errno;
    }

    /** The step that failed, or absent when it was the spawn. */
    @Nullable
    ConfinementStep failedStep() {
        return failedStep < 0 ? null : steps[failedStep];
    }

    /** The thread is short, and leaving it would leak what it points to; the interrupt is seen by whoever waits next. */
    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
