package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One image, carried out; what its children leave is cleared by the thread that the kernel has let go. Either the caller takes the
 * outcome over or it gives it up, never both: then this task ends every child and frees the memory, however late.
 */
final class SpawnTask implements Callable<SpawnReport> {
    private enum State {
        WAITING,
        UNDER_WAY,
        DELIVERED,
        GIVEN_UP
    }

    /** Where it stands when no thread has begun: each waits for a child that hangs. */
    static final String WAITING_FOR_A_THREAD = "wait for a thread, for other children hang";

    private final ProgramImage image;
    private final Consumer<SpawnReport> abandoned;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    /** Children that are not reaped, the innermost first. */
    private final List<Entry.Clone> left;

    private boolean returned;

    SpawnTask(ProgramImage image, Consumer<SpawnReport> abandoned) {
        this.image = image;
        this.abandoned = abandoned;
        this.left = new ArrayList<>(image.clones());
        Collections.reverse(left);
    }

    @Override
    public SpawnReport call() {
        if (!state.compareAndSet(State.WAITING, State.UNDER_WAY)) {
            return SpawnReport.failed(image.outermost(), Layout.ECANCELED);
        }
        long result = SpawnStub.run(image);
        synchronized (this) {
            // From here on a number may be reaped: nobody else kills by it any more.
            returned = true;
        }
        SpawnReport report = SpawnReport.of(image, result);
        if (report.failure().isPresent()) {
            endAll();
        } else {
            reap(left.stream().filter(clone -> !becomesAnother(clone.program())).toList());
        }
        if (!state.compareAndSet(State.UNDER_WAY, State.DELIVERED)) {
            endAll();
            abandoned.accept(report);
            image.close();
        }
        return report;
    }

    private void endAll() {
        left.forEach(clone -> ChildProcesses.kill(image.pid(clone)));
        reap(List.copyOf(left));
    }

    private void reap(List<Entry.Clone> clones) {
        for (Entry.Clone clone : clones) {
            ChildProcesses.reap(image.pid(clone));
            left.remove(clone);
        }
    }

    private static boolean becomesAnother(SyscallProgram program) {
        return program.entries().stream().anyMatch(SpawnTask::executes);
    }

    /** Whether an entry is one behind which nothing is known of the child: it is another program by then. */
    static boolean executes(Entry entry) {
        return entry instanceof Entry.Call call
                && (call.call() == SyscallNumbers.EXECVE || call.call() == SyscallNumbers.EXECVEAT);
    }

    /**
     * Kills every child, unless the outcome was delivered meanwhile; killing the outer one first would let its caller go on while the
     * inner one still writes to its memory.
     *
     * @return where it stood; absent when it was delivered
     */
    Optional<String> giveUp() {
        if (state.compareAndSet(State.WAITING, State.GIVEN_UP)) {
            image.close();
            return Optional.of(WAITING_FOR_A_THREAD);
        }
        if (!state.compareAndSet(State.UNDER_WAY, State.GIVEN_UP)) {
            return Optional.empty();
        }
        synchronized (this) {
            if (returned) {
                return Optional.of("");
            }
            String where = SpawnReport.standing(image);
            left.forEach(clone -> ChildProcesses.kill(image.pid(clone)));
            return Optional.of(where);
        }
    }
}
