package dev.sandbox.docker;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.SyscallException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A running container in which commands are executed, one at a time. Its main process waits for the end of its standard input
 * and runs as another user than the commands, so that they can neither signal it nor be confused with it: {@code kill -1} as the
 * commands' user reaches the command's whole tree and nothing else.
 */
final class WarmContainer implements AutoCloseable {
    private static final int PIECE = 8192;
    private static final int SIGKILL = 9;

    /** For those that were killed: they count until the container's init has waited for them. */
    private static final long REAPING_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Engine engine;
    private final String id;
    private final ContainerUser user;
    /** Its main process waits for the end of this. */
    private final EngineConnection keepAlive;

    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable CgroupTasks tasks;
    private volatile long pid;

    private WarmContainer(Engine engine, String id, ContainerUser user, EngineConnection keepAlive) {
        this.engine = engine;
        this.id = id;
        this.user = user;
        this.keepAlive = keepAlive;
    }

    /** Creates, attaches, starts. Nothing of a command's runs in it yet. */
    static WarmContainer start(Engine engine, ContainerRecipe recipe, ContainerUser user) {
        String id = recipe.create(engine);
        EngineConnection keepAlive = null;
        try {
            keepAlive = engine.attachInput(id);
            engine.start(id);
            return new WarmContainer(engine, id, user, keepAlive);
        } catch (SandboxUnavailableException e) {
            if (keepAlive != null) {
                keepAlive.close();
            }
            engine.remove(id);
            throw e;
        }
    }

    /**
     * What it shows otherwise than meant; empty when all is well.
     *
     * @throws SandboxUnavailableException when it cannot be looked at
     */
    Optional<String> difference(MountCheck check, LinuxSyscalls syscalls) {
        try (ContainerView view = ContainerView.of(id, pid(), syscalls)) {
            return check.difference(view);
        } catch (SyscallException keeperIsSomebodyElses) {
            return differenceByWitness(check, syscalls);
        }
    }

    /**
     * Through a process of the command's user: the kernel lets an ordinary account look through its own processes only. Until it runs
     * the shell it is still the engine's, so it is looked through when it has said something.
     */
    private Optional<String> differenceByWitness(MountCheck check, LinuxSyscalls syscalls) {
        BytePipe until = new BytePipe();
        ExecRequest witness = new ExecRequest(
                List.of("/bin/sh", "-c", "echo; " + ContainerRecipe.KEEPER),
                List.of(),
                "/",
                user.spec(),
                Optional.of(until.source()),
                false);
        String exec = engine.createExec(id, witness);
        try (EngineConnection said = engine.startExec(exec, witness)) {
            if (said.output().read() < 0) {
                throw new IOException("it ended before it was looked at");
            }
            try (ContainerView view = ContainerView.of(id, engine.awaitPid(exec), syscalls)) {
                return check.difference(view);
            } finally {
                until.end();
                drain(said); // it must be gone before it is taken for a command's
            }
        } catch (IOException | SyscallException e) {
            throw new SandboxUnavailableException(
                    "docker",
                    "what the engine has mounted cannot be checked by this account: " + e.getMessage(),
                    "run as the account that the step runs as, or as root; or use the backend landlock or mountns",
                    e);
        }
    }

    private static void drain(EngineConnection said) throws IOException {
        byte[] piece = new byte[PIECE];
        while (said.output().read(piece) >= 0) {
            // until it has ended
        }
    }

    private long pid() {
        if (pid == 0) {
            pid = engine.pid(id);
        }
        return pid;
    }

    String id() {
        return id;
    }

    boolean hasEnded() {
        return ended.get();
    }

    boolean ranOutOfMemory() {
        return engine.ranOutOfMemory(id);
    }

    /** Whether processes of a command are left after it ended. */
    boolean hasLeftovers() {
        if (ended.get() || tasks().hasExactly(ContainerPlanner.OWN_PIDS)) {
            return false;
        }
        int processes = engine.processes(id);
        if (processes == 0) {
            release(); // its own are gone as well: the memory ran out
        }
        return processes > ContainerPlanner.OWN_PIDS;
    }

    /** SIGKILL to every process of the command; ends the container when that does not do. */
    void killLeftovers() {
        signal(SIGKILL);
        long end = System.nanoTime() + REAPING_NANOS;
        while (hasLeftovers()) {
            if (System.nanoTime() > end) {
                close();
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private CgroupTasks tasks() {
        CgroupTasks known = tasks;
        if (known == null) {
            known = CgroupTasks.of(id, pid());
            tasks = known;
        }
        return known;
    }

    /** A signal to every process of the command. */
    void signal(int number) {
        if (ended.get()) {
            return;
        }
        try {
            ExecRequest kill = new ExecRequest(
                    List.of("/bin/sh", "-c", "kill -" + number + " -1"),
                    List.of(),
                    "/",
                    user.spec(),
                    Optional.empty(),
                    false);
            try (EngineConnection said = engine.startExec(engine.createExec(id, kill), kill)) {
                drain(said);
            }
        } catch (IOException | SandboxUnavailableException e) {
            close(); // no room for one more process, or the container is gone
        }
    }

    /** Lets go of it when no command's process is left in it: the main process ends by itself, and the engine removes it. */
    void release() {
        if (ended.compareAndSet(false, true)) {
            keepAlive.close();
        }
    }

    /** SIGKILL to all of it. When it returns, nothing runs in it any more; the engine removes it. */
    @Override
    public void close() {
        if (ended.compareAndSet(false, true)) {
            try {
                engine.kill(id);
            } finally {
                keepAlive.close(); // by itself this ends it, too
            }
        }
    }
}
