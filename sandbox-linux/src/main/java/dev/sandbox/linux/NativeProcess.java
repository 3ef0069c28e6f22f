package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Completion;
import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.ExitStatus;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.WindowSize;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.linux.uapi.Poll;
import dev.sandbox.linux.uapi.Signals;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A child of {@link ConfinedSpawn}. It stays a zombie until {@link #exchange} or {@link #close} has ended its tree, so that
 * its number, by which its process group and session are known, cannot pass to another process before. Waiting is done by
 * poll(2): give it a platform thread.
 */
public final class NativeProcess implements SandboxedProcess {
    private static final Duration SINK_PATIENCE = Duration.ofSeconds(5);

    private final RawSyscalls syscalls = RawSyscalls.host();
    private final Child child;
    private final Optional<Integer> init;
    private final ProcessTree tree;
    private final ChildStreams streams;
    private final FileDescriptor wake;
    private final Optional<RunCgroup> cgroup;
    private final Limits limits;
    private final Optional<PipeOutputStream> stdin;
    private final Optional<PipeInputStream> stdout;
    private final Optional<PipeInputStream> stderr;
    private final CopiedStreams copied;
    // Guards what must not run while the child is reaped or a descriptor closed.
    private final ReentrantLock lock = new ReentrantLock();
    // Held while bytes are moved: what an exchange uses is not freed under its hands.
    private final ReentrantLock exchanging = new ReentrantLock();
    private Optional<ExitStatus> reaped = Optional.empty();
    private volatile boolean destroyed;
    private volatile boolean stdinTaken;
    private volatile int endedBy = Signals.SIGTERM;

    private NativeProcess(
            Child child, Optional<Integer> init, SpawnRequest request, ChildStreams streams, Birth birth) {
        this.child = child;
        this.init = init;
        this.tree = new ProcessTree(syscalls, child.pid(), init, request.marker(), request.cgroup(), birth.before());
        this.cgroup = request.cgroup();
        this.streams = streams;
        this.wake = birth.wake();
        this.limits = request.limits();
        this.stdin = streams.stdin().map(fd -> new PipeOutputStream(syscalls, fd, request.stdin()));
        this.stdout = streams.stdout().map(fd -> new PipeInputStream(syscalls, fd));
        this.stderr = streams.stderr().map(fd -> new PipeInputStream(syscalls, fd));
        this.copied = CopiedStreams.start(syscalls, streams);
    }

    /** Takes over a child that was just spawned, its streams and the first process of its PID namespace, if it has one. */
    static NativeProcess adopt(
            int pid, Optional<Integer> init, SpawnRequest request, ChildStreams streams, Birth birth) {
        FileDescriptor pidfd = LinuxSyscalls.host().pidfdOpen(pid);
        return new NativeProcess(new Child(RawSyscalls.host(), pid, pidfd), init, request, streams, birth);
    }

    @Override
    public long pid() {
        return child.pid();
    }

    @Override
    public OutputStream stdin() {
        stdinTaken = true;
        return stdin.map(OutputStream.class::cast).orElseGet(NativeProcess::closedOutput);
    }

    private static OutputStream closedOutput() {
        OutputStream none = OutputStream.nullOutputStream();
        try {
            none.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return none;
    }

    @Override
    public InputStream stdout() {
        return stdout.map(InputStream.class::cast).orElseGet(InputStream::nullInputStream);
    }

    @Override
    public InputStream stderr() {
        return stderr.map(InputStream.class::cast).orElseGet(InputStream::nullInputStream);
    }

    /** {@inheritDoc} A standard input that nobody has asked for is closed first: the child would wait for it for ever. */
    @Override
    public Completion exchange(Exchange exchange) {
        Optional<InputFeed> feed = exchange.input().flatMap(this::feed);
        if (!stdinTaken) {
            stdin.ifPresent(PipeOutputStream::close);
        }
        exchanging.lock();
        try {
            Completion completion = copied.finish(new ExchangeLoop(this, exchange).run());
            return feed.flatMap(InputFeed::failure).map(completion::withNote).orElse(completion);
        } catch (RuntimeException | Error e) {
            // A sink threw: the run has nobody to print to.
            close();
            throw e;
        } finally {
            exchanging.unlock();
        }
    }

    private Optional<InputFeed> feed(InputStream source) {
        stdinTaken = true;
        return stdin.map(target -> InputFeed.start(source, target));
    }

    @Override
    public Optional<ExitStatus> waitFor(Duration timeout) throws InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        try (Poller poller = new Poller(syscalls, 1)) {
            while (true) {
                Optional<ExitStatus> status = status();
                if (status.isPresent() || deadline.passed()) {
                    return status;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                awaitSlice(poller, deadline);
            }
        }
    }

    /** Under no lock: {@link #close} may free the pidfd meanwhile, and the next look at the status then tells so. */
    private void awaitSlice(Poller poller, Deadline deadline) {
        try {
            poller.watch(0, child.pidfd().number(), Poll.POLLIN);
        } catch (IllegalStateException closed) {
            return;
        }
        poller.poll(deadline.millisLeft(Poller.SLICE_MILLIS));
    }

    private Optional<ExitStatus> status() {
        lock.lock();
        try {
            return reaped.isPresent() ? reaped : child.peek();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resize(WindowSize size) {
        streams.terminal()
                .orElseThrow(() -> new IllegalStateException("the step has no terminal"))
                .resize(syscalls, size);
    }

    @Override
    public void cancel(int signal) {
        endedBy = signal;
        lock.lock();
        try (NativeArena arena = new NativeArena()) {
            if (wake.isOpen()) {
                long one = arena.allocate(Long.BYTES);
                NativeArena.putLong(one, 1);
                syscalls.write(wake.number(), one, Long.BYTES);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void destroyTree() {
        destroyed |= status().isEmpty();
        killTree();
    }

    /** Whether {@link #destroyTree} met a child that still ran. */
    boolean wasDestroyed() {
        return destroyed;
    }

    /** Ends every process of the run; whether there was any but the child itself. */
    boolean killTree() {
        lock.lock();
        try {
            return reaped.isEmpty() && tree.kill();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void signal(int signal) {
        lock.lock();
        try {
            if (reaped.isEmpty()) {
                tree.signal(signal);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What a cancelled tree is to end by. */
    int endedBy() {
        return endedBy;
    }

    Limits limits() {
        return limits;
    }

    /** What the tree uses; see {@link ProcessTree#use}. */
    TreeWatch.Use use(OptionalLong enough) {
        lock.lock();
        try {
            return reaped.isPresent() ? TreeWatch.Use.NONE : tree.use(enough);
        } finally {
            lock.unlock();
        }
    }

    /** After the tree was killed: frees the numbers of the child and of the init, which ends when all of its namespace has. */
    ExitStatus reap() {
        lock.lock();
        try {
            if (reaped.isEmpty()) {
                // Before the watchdog forgets it; a zombie keeps no cgroup.
                cgroup.ifPresent(RunCgroup::close);
                Watchdog.ofThisJvm().ended(child.pid());
                reaped = Optional.of(child.reap());
                init.ifPresent(Orphan::end);
            }
            return reaped.get();
        } finally {
            lock.unlock();
        }
    }

    ChildStreams streams() {
        return streams;
    }

    FileDescriptor pidfd() {
        return child.pidfd();
    }

    FileDescriptor wake() {
        return wake;
    }

    /** True when {@link #close} has freed everything. */
    public boolean isClosed() {
        return !wake.isOpen();
    }

    /** {@inheritDoc} An exchange in another thread then ends as {@code CANCELLED}. */
    @Override
    public void close() {
        destroyTree();
        boolean alone = awaitExchange();
        try {
            free();
        } finally {
            if (alone) {
                exchanging.unlock();
            }
        }
    }

    /** Its tree is dead, so it ends soon, unless its sink does not return: then it will find its descriptors closed. */
    private boolean awaitExchange() {
        try {
            // At once if it can be had: the timed form fails on a thread that was interrupted.
            return exchanging.tryLock() || exchanging.tryLock(SINK_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void free() {
        copied.finish();
        stdin.ifPresent(PipeOutputStream::abandon);
        stdout.ifPresent(PipeInputStream::close);
        stderr.ifPresent(PipeInputStream::close);
        lock.lock();
        try {
            reap();
            streams.close();
            wake.close();
            child.pidfd().close();
        } finally {
            lock.unlock();
        }
    }
}
