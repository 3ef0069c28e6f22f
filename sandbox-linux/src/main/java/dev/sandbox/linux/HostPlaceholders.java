package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.PlaceholderJournal.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds placeholders on the host while runs need them. A placeholder is shared by all runs that need it, in this JVM and others,
 * and goes with the last: removing the file under another run's mask would lift it.
 */
public final class HostPlaceholders {
    // One lock and one count for the JVM: two backends in it share the journal.
    private static final Object LOCK = new Object();
    private static final Map<AbsolutePath, Integer> HOLDERS = new HashMap<>();

    private final PlaceholderJournal journal;
    private final PlaceholderFiles files;

    /** Those of this process's account. */
    public HostPlaceholders(LinuxSyscalls syscalls) {
        this(syscalls, ControlFolder.ofThisAccount());
    }

    /** Those that these records tell of. */
    public HostPlaceholders(LinuxSyscalls syscalls, ControlFolder control) {
        this.journal = new PlaceholderJournal(control);
        this.files = new PlaceholderFiles(syscalls);
    }

    /** The placeholders that stand now: what is seen there is not the user's. Removes what killed JVMs have left. */
    public Set<AbsolutePath> standing() {
        if (!journal.exists()) {
            return Set.of();
        }
        synchronized (LOCK) {
            return journal.locked(() -> {
                sweep();
                Set<AbsolutePath> paths = new HashSet<>();
                Stream.concat(journal.others().stream(), journal.mine().stream())
                        .filter(line -> files.isPlaceholder(line.placeholder(), line.identity()))
                        .forEach(line -> paths.add(line.placeholder().path()));
                return paths;
            });
        }
    }

    /** Makes them, parents first; what was made is removed by the returned action. */
    public Runnable hold(List<HostPlaceholder> placeholders) {
        if (placeholders.isEmpty()) {
            return () -> {};
        }
        synchronized (LOCK) {
            return journal.locked(() -> {
                sweep();
                List<HostPlaceholder> held = new ArrayList<>();
                try {
                    for (HostPlaceholder placeholder : placeholders) {
                        if (holdOne(placeholder)) {
                            held.add(placeholder);
                        }
                    }
                } catch (SyscallException | UnsafePathException e) {
                    releaseAll(held);
                    throw new SandboxUnavailableException(
                            "placeholders",
                            "cannot block a path that does not exist: " + e.getMessage(),
                            "create it, or block the folder above it",
                            e);
                }
                return () -> release(held);
            });
        }
    }

    private boolean holdOne(HostPlaceholder placeholder) throws IOException {
        AbsolutePath path = placeholder.path();
        boolean shared = HOLDERS.containsKey(path) || lineOf(journal.others(), path) != null;
        List<Line> mine = new ArrayList<>(journal.mine());
        if (!HOLDERS.containsKey(path)) {
            // Before it is made: a kill in between must not leave it unknown.
            Line intent = new Line(placeholder, "");
            mine.add(intent);
            journal.write(mine);
            try {
                if (!files.create(placeholder) && !shared) {
                    mine.remove(intent);
                    journal.write(mine);
                    return false;
                }
                mine.set(mine.size() - 1, new Line(placeholder, files.identity(path)));
            } catch (SyscallException | UnsafePathException e) {
                if (!shared) {
                    files.remove(placeholder, "");
                }
                mine.remove(intent);
                journal.write(mine);
                throw e;
            }
            journal.write(mine);
        }
        HOLDERS.merge(path, 1, Integer::sum);
        return true;
    }

    private void release(List<HostPlaceholder> held) {
        synchronized (LOCK) {
            journal.locked(() -> {
                releaseAll(held);
                return held;
            });
        }
    }

    private void releaseAll(List<HostPlaceholder> held) throws IOException {
        for (int i = held.size() - 1; i >= 0; i--) {
            HostPlaceholder placeholder = held.get(i);
            AbsolutePath path = placeholder.path();
            if (HOLDERS.merge(path, -1, Integer::sum) > 0) {
                continue;
            }
            HOLDERS.remove(path);
            List<Line> mine = new ArrayList<>(journal.mine());
            Line own = lineOf(mine, path);
            if (own != null && lineOf(journal.others(), path) == null) {
                files.remove(placeholder, own.identity());
            }
            mine.remove(own);
            journal.write(mine);
        }
    }

    private void sweep() throws IOException {
        List<Line> abandoned = journal.takeAbandoned();
        for (int i = abandoned.size() - 1; i >= 0; i--) {
            Line line = abandoned.get(i);
            if (lineOf(journal.others(), line.placeholder().path()) == null
                    && !HOLDERS.containsKey(line.placeholder().path())) {
                files.remove(line.placeholder(), line.identity());
            }
        }
    }

    private static @Nullable Line lineOf(List<Line> lines, AbsolutePath path) {
        return lines.stream()
                .filter(line -> line.placeholder().path().equals(path))
                .findFirst()
                .orElse(null);
    }
}
