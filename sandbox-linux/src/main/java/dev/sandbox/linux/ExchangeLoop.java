package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Completion.Leftovers;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.OutputSink.Demand;
import dev.sandbox.domain.result.Termination;
import dev.sandbox.linux.uapi.Poll;
import dev.sandbox.linux.uapi.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Moves bytes and keeps time until the child has ended, on one thread by poll(2). The child's end is looked at before the
 * clock, so that a child which ends in time is never called late.
 */
final class ExchangeLoop {
    private static final int STDOUT = 0;
    private static final int STDERR = 1;
    private static final int EXIT = 2;
    private static final int WAKE = 3;
    private static final int WATCHED = 4;
    /** How soon a sink that wants no more for now is asked again. */
    private static final int PAUSE_MILLIS = 5;

    private final NativeProcess process;
    private final Exchange exchange;
    private final Deadline timeout;
    private final TreeWatch watch;
    private Optional<Termination> ending = Optional.empty();
    private Optional<Termination> exceeded = Optional.empty();
    private Deadline killAt = Deadline.NEVER;
    private Deadline drained = Deadline.NEVER;
    private boolean exited;
    private boolean wakeSeen;
    private boolean paused;

    ExchangeLoop(NativeProcess process, Exchange exchange) {
        this.process = process;
        this.exchange = exchange;
        this.timeout = exchange.timeout().map(Deadline::after).orElse(Deadline.NEVER);
        this.watch = new TreeWatch(process, process.limits());
    }

    Completion run() {
        RawSyscalls syscalls = RawSyscalls.host();
        try (OutputPump.CopyBuffer buffer = new OutputPump.CopyBuffer();
                Poller poller = new Poller(syscalls, WATCHED)) {
            ChildStreams streams = process.streams();
            OutputPump out = new OutputPump(syscalls, streams.stdout(), exchange.stdout(), buffer);
            OutputPump err = new OutputPump(syscalls, streams.stderr(), exchange.stderr(), buffer);
            while (!(exited && ((out.ended() && err.ended()) || drained.passed()))) {
                once(poller, out, err);
            }
            return finish(out, err);
        }
    }

    private Completion finish(OutputPump out, OutputPump err) {
        boolean left = process.killTree();
        // Before the rest is moved: in a PID namespace the last process has ended when the first has been reaped.
        ExitStatus status = process.reap();
        if (!limitReached()) {
            out.moveRest();
            err.moveRest();
        }
        Termination natural = status.signal().isPresent() ? Termination.SIGNALED : Termination.EXITED;
        Termination termination = ending.orElse(process.wasDestroyed() ? Termination.CANCELLED : natural);
        List<String> notes = exceeded.map(watch::note).map(List::of).orElseGet(List::of);
        return new Completion(status, termination, left ? Leftovers.ENDED : Leftovers.NONE, notes);
    }

    private void once(Poller poller, OutputPump out, OutputPump err) {
        paused = false;
        watch(poller, out, err);
        poller.poll(waitMillis());
        if (poller.ready(EXIT) && !exited) {
            exited = true;
            drained = Deadline.after(exchange.drain());
        }
        if (poller.ready(WAKE) || Thread.currentThread().isInterrupted()) {
            wakeSeen = true;
            cancel();
        }
        move(poller, STDOUT, out);
        move(poller, STDERR, err);
        keepTime();
        keepWatch();
    }

    private void watch(Poller poller, OutputPump out, OutputPump err) {
        if (limitReached()) {
            poller.ignore(STDOUT);
            poller.ignore(STDERR);
        } else {
            watch(poller, STDOUT, out);
            watch(poller, STDERR, err);
        }
        if (exited) {
            poller.ignore(EXIT);
        } else {
            poller.watch(EXIT, process.pidfd().number(), Poll.POLLIN);
        }
        if (wakeSeen) {
            poller.ignore(WAKE);
        } else {
            poller.watch(WAKE, process.wake().number(), Poll.POLLIN);
        }
    }

    private void watch(Poller poller, int index, OutputPump pump) {
        Demand demand = pump.demand();
        if (demand == Demand.MORE) {
            pump.watch(poller, index);
        } else {
            poller.ignore(index);
            paused |= demand == Demand.PAUSE;
        }
        if (demand == Demand.END_RUN) {
            endForOutput();
        }
    }

    private int waitMillis() {
        int slice = paused ? PAUSE_MILLIS : Poller.SLICE_MILLIS;
        if (exited) {
            return drained.millisLeft(slice);
        }
        return ending.isPresent() ? killAt.millisLeft(slice) : timeout.millisLeft(slice);
    }

    private void move(Poller poller, int index, OutputPump pump) {
        if (!poller.ready(index) || pump.ended() || limitReached()) {
            return;
        }
        if (pump.move() == Demand.END_RUN) {
            endForOutput();
        }
    }

    private void endForOutput() {
        ending = Optional.of(Termination.OUTPUT_LIMIT);
        killAt = Deadline.NEVER;
        drained = Deadline.after(Duration.ZERO);
        process.killTree();
    }

    private boolean limitReached() {
        return ending.filter(Termination.OUTPUT_LIMIT::equals).isPresent();
    }

    private void keepWatch() {
        if (exited || ending.isPresent()) {
            return;
        }
        exceeded = watch.exceeded();
        if (exceeded.isPresent()) {
            ending = exceeded;
            process.killTree();
        }
    }

    private void keepTime() {
        if (!exited && ending.isEmpty() && timeout.passed()) {
            end(Termination.TIMED_OUT, Signals.SIGTERM);
        }
        if (!exited && killAt.passed()) {
            killAt = Deadline.NEVER;
            process.killTree();
        }
    }

    private void cancel() {
        if (ending.isEmpty()) {
            end(Termination.CANCELLED, process.endedBy());
            if (exited) {
                drained = Deadline.after(Duration.ZERO);
            }
        }
    }

    private void end(Termination why, int signal) {
        ending = Optional.of(why);
        killAt = Deadline.after(exchange.grace());
        process.signal(signal);
    }
}
