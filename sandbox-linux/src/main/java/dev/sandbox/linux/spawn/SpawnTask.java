package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/** One image, carried out; what its children leave is cleared by the thread that the kernel has let go. */
final class SpawnTask implements Callable<SpawnReport> {
    private final ProgramImage image;
    private final AtomicBoolean givenUp = new AtomicBoolean();
    private boolean finished;

    SpawnTask(ProgramImage image) {
        this.image = image;
    }

    @Override
    public SpawnReport call() {
        if (givenUp.get()) {
            image.close();
            return SpawnReport.failed(image.outermost(), Layout.ECANCELED);
        }
        long result = SpawnStub.run(image);
        synchronized (this) {
            // From here on a number may be reaped: nobody kills by it any more.
            finished = true;
        }
        return finish(result);
    }

    private SpawnReport finish(long result) {
        SpawnReport report = SpawnReport.of(image, result);
        List<Entry.Clone> innermostFirst = new ArrayList<>(image.clones());
        Collections.reverse(innermostFirst);
        boolean endsAll = report.failure().isPresent() || givenUp.get();
        if (endsAll) {
            innermostFirst.forEach(clone -> ChildProcesses.kill(image.pid(clone)));
        }
        for (Entry.Clone clone : innermostFirst) {
            if (endsAll || !becomesAnother(clone.program())) {
                ChildProcesses.reap(image.pid(clone));
            }
        }
        return report;
    }

    private static boolean becomesAnother(SyscallProgram program) {
        return program.entries().stream()
                .anyMatch(entry -> entry instanceof Entry.Call call
                        && (call.call() == SyscallNumbers.EXECVE || call.call() == SyscallNumbers.EXECVEAT));
    }

    /** Kills every child; killing the outer one first would let its caller go on while the inner one still writes to its memory. */
    synchronized String giveUp() {
        givenUp.set(true);
        if (finished) {
            return "";
        }
        String where = SpawnReport.standing(image);
        List<Entry.Clone> innermostFirst = new ArrayList<>(image.clones());
        Collections.reverse(innermostFirst);
        innermostFirst.forEach(clone -> ChildProcesses.kill(image.pid(clone)));
        return where;
    }
}
