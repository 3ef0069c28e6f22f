package dev.sandbox.docker;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.SyscallException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds a session to its blocks: looks at {@link BlockedEntries} before and after each step, and when one did not stay where it was, no
 * further step runs. Before a step an entry that a program of the host has saved anew is taken as it is now; while a step runs nobody
 * can tell the host's programs from a step's helpers, so then that ends the session, too. Thread-safe.
 */
final class BlockWatch implements AutoCloseable {
    private final ContainerSpec spec;
    private final LinuxSyscalls syscalls;
    private @Nullable BlockedEntries entries;
    private int generation;
    private Optional<String> breach = Optional.empty();

    BlockWatch(ContainerSpec spec, LinuxSyscalls syscalls) {
        this.spec = spec;
        this.syscalls = syscalls;
    }

    /** Whether steps of the session run. */
    enum Steps {
        NONE,
        RUNNING
    }

    /**
     * Looks. When no step runs, an entry that was saved anew is taken as it is now.
     *
     * @return a number that grows when that happens: masks that were mounted under another number stand on what is gone
     * @throws SandboxUnavailableException when a block was lifted, now or ever
     */
    synchronized int look(Steps steps) {
        refuse();
        try {
            if (entries == null) {
                entries = BlockedEntries.of(spec, syscalls);
            }
            Optional<BlockedEntries.Change> change = entries.change();
            if (change.isPresent()) {
                if (steps == Steps.RUNNING || change.get().fate() == BlockedEntries.Fate.MOVED) {
                    breach = Optional.of(change.get().text());
                } else {
                    renew();
                }
            }
        } catch (SyscallException e) {
            breach = Optional.of("it cannot be looked at any more: " + e.getMessage());
        }
        refuse();
        return generation;
    }

    private void renew() {
        BlockedEntries now = BlockedEntries.of(spec, syscalls);
        close();
        entries = now;
        generation++;
    }

    private void refuse() {
        if (breach.isPresent()) {
            throw new SandboxUnavailableException("docker", told(breach.get()), "look for it, then open a new session");
        }
    }

    /** What is to be told of the step that ended: a block that it, or another at the same time, had taken off. */
    synchronized Optional<String> afterStep() {
        if (breach.isEmpty() && entries != null) {
            breach = entries.change().map(BlockedEntries.Change::text);
        }
        return breach.map(BlockWatch::told);
    }

    private static String told(String text) {
        return "a blocked path did not stay blocked, so this session runs nothing more: " + text;
    }

    @Override
    public synchronized void close() {
        if (entries != null) {
            entries.close();
            entries = null;
        }
    }
}
