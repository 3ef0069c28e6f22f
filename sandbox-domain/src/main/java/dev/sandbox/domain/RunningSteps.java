package dev.sandbox.domain;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.Concurrency;
import dev.sandbox.domain.isolation.OwnedProcess;
import dev.sandbox.domain.isolation.RunLedger;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.problem.SandboxBusyException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What runs in one sandbox, and whether one more may. */
final class RunningSteps {
    private final LongSupplier nanoTime;
    private final Concurrency concurrency;
    private final Semaphore turns;
    private final RunLedger ledger;
    private final AtomicLong nextId = new AtomicLong();
    private final ConcurrentMap<Long, Entry> running = new ConcurrentSkipListMap<>();

    private record Entry(String command, BackendName backend, SandboxedProcess process, long start) {}

    RunningSteps(LongSupplier nanoTime, Concurrency concurrency, RunLedger ledger) {
        this.nanoTime = nanoTime;
        this.concurrency = concurrency;
        this.ledger = ledger;
        this.turns = new Semaphore(concurrency.most(), true);
    }

    /** Starts one when it is its turn; listed until it is closed. */
    SandboxedProcess start(String command, BackendName backend, Supplier<SandboxedProcess> starter) {
        awaitTurn();
        SandboxedProcess process;
        try {
            process = starter.get();
        } catch (RuntimeException | Error e) {
            turns.release();
            throw e;
        }
        long id = nextId.incrementAndGet();
        running.put(id, new Entry(command, backend, process, nanoTime.getAsLong()));
        ledger.started(new RunningStep(id, command, backend, process.pid(), Duration.ZERO));
        return new OwnedProcess(process, () -> {
            running.remove(id);
            ledger.ended(id);
            turns.release();
        });
    }

    private void awaitTurn() {
        try {
            if (!turns.tryAcquire(concurrency.patience().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SandboxBusyException("more than " + concurrency.most() + " steps at once");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SandboxBusyException("interrupted while waiting for a turn among " + concurrency.most());
        }
    }

    /** The oldest first. */
    List<RunningStep> list() {
        long now = nanoTime.getAsLong();
        return running.entrySet().stream()
                .map(step -> new RunningStep(
                        step.getKey(),
                        step.getValue().command(),
                        step.getValue().backend(),
                        step.getValue().process().pid(),
                        Duration.ofNanos(now - step.getValue().start())))
                .toList();
    }

    /** Asks one to end; false when none of that id runs. */
    boolean cancel(long id) {
        Entry step = running.get(id);
        if (step != null) {
            step.process().cancel();
        }
        return step != null;
    }
}
