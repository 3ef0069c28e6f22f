package dev.sandbox.linux;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.RunLedger;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs, in a file that exists only while something does: a line for each start and each end. Not found out from /proc, although
 * every process of a run carries a marker: a step may take that off, and neither /proc nor a container's label tells the command as it
 * was written. A file whose owner is dead is nobody's, so that nothing here can be out of date.
 */
public final class HostLedger implements RunLedger {
    private static final AtomicLong NUMBER = new AtomicLong();
    private static final int LONGEST_COMMAND = 4096;
    private static final int LARGEST = 1 << 20;
    private static final int MOST_STEPS = 10_000;

    private final LedgerFolder folder;
    private final long number = NUMBER.incrementAndGet();
    private final Map<Long, String> live = new TreeMap<>();
    private @Nullable Path ownFile;
    private @Nullable Path file;
    private @Nullable OutputStream out;
    private int written;

    /** In the records of this account. */
    public HostLedger() {
        this(ControlFolder.ofThisAccount());
    }

    /** In these records. */
    public HostLedger(ControlFolder control) {
        this.folder = new LedgerFolder(control);
    }

    /**
     * A step that some process of this host runs.
     *
     * @param owner the process that runs it
     * @param sandbox which of that process's sandboxes
     * @param step the step; its id is the sandbox's
     */
    public record Entry(long owner, long sandbox, RunningStep step) {}

    @Override
    public synchronized void started(RunningStep step) {
        String command = step.command();
        String line = "+" + step.id() + " " + step.backend().id() + " " + step.pid() + " " + System.currentTimeMillis()
                + " " + OctalText.escape(command.substring(0, Math.min(command.length(), LONGEST_COMMAND)));
        live.put(step.id(), line);
        write(line);
    }

    @Override
    public synchronized void ended(long id) {
        live.remove(id);
        if (live.isEmpty()) {
            remove();
        } else if (written > LARGEST) {
            remove();
            live.values().forEach(this::write);
        } else {
            write("-" + id);
        }
    }

    /** One write for each line, so that nobody reads half of one. A run does not fail for it. */
    private void write(String line) {
        try {
            byte[] bytes = (line + "\n").getBytes(StandardCharsets.ISO_8859_1);
            OutputStream open = out == null ? open() : out;
            open.write(bytes);
            written += bytes.length;
        } catch (IOException | SandboxUnavailableException e) {
            Log.LOG.debug("what runs cannot be told to others: {}", e.toString());
        }
    }

    private OutputStream open() throws IOException {
        Path own = ownFile(folder.make());
        OutputStream fresh = Files.newOutputStream(
                own,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        file = own;
        out = fresh;
        written = 0;
        return fresh;
    }

    /** Its name is this process's for good, and takes three looks into /proc. */
    private Path ownFile(Path in) {
        Path known = ownFile == null ? in.resolve(LedgerFolder.ownName(number)) : ownFile;
        ownFile = known;
        return known;
    }

    private void remove() {
        OutputStream open = out;
        Path own = file;
        out = null;
        file = null;
        try {
            if (open != null && own != null) {
                open.close();
                Files.deleteIfExists(own);
            }
        } catch (IOException e) {
            Log.LOG.debug("what has run is still told to others: {}", e.toString());
        }
    }

    /** What runs now under this account, or for root under all; the oldest first. */
    public static List<Entry> all() {
        List<Entry> entries = new ArrayList<>();
        try {
            for (LedgerFolder folder : LedgerFolder.readable()) {
                entries.addAll(entries(folder));
            }
        } catch (IOException e) {
            Log.LOG.debug("the list of what runs cannot be read: {}", e.toString());
        }
        entries.sort((a, b) -> b.step().age().compareTo(a.step().age()));
        return entries;
    }

    /** What runs now, as these records tell. */
    public static List<Entry> in(ControlFolder control) throws IOException {
        return entries(new LedgerFolder(control));
    }

    private static List<Entry> entries(LedgerFolder folder) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (LedgerFolder.Entry file : folder.files()) {
            entries.addAll(entries(file));
        }
        return entries;
    }

    private static List<Entry> entries(LedgerFolder.Entry file) {
        if (!isOf(file.uid(), file.owner().pid())) {
            return List.of(); // an account tells only of its own processes
        }
        Map<String, Entry> entries = new TreeMap<>();
        for (String line : file.lines()) {
            if (line.startsWith("-")) {
                entries.remove(line.substring(1));
            } else if (line.startsWith("+")) {
                entry(file, line.substring(1).split(" ", -1), entries);
            }
            if (entries.size() > MOST_STEPS) {
                Log.LOG.warn(
                        "the list of what runs of process {} is too long to be true",
                        file.owner().pid());
                return List.of();
            }
        }
        return List.copyOf(entries.values());
    }

    private static boolean isOf(int uid, long pid) {
        return uid == 0 || pid <= 0 || ControlFile.accountOf(pid) == Integer.toUnsignedLong(uid);
    }

    private static void entry(LedgerFolder.Entry file, String[] fields, Map<String, Entry> entries) {
        Optional<BackendName> backend = fields.length == 5 && BackendName.isName(fields[1])
                ? Optional.of(BackendName.of(fields[1]))
                : Optional.empty();
        try {
            if (backend.isEmpty() || !isOf(file.uid(), Long.parseLong(fields[2]))) {
                Log.LOG.warn(
                        "a line that cannot be true in the list of what runs of process {}",
                        file.owner().pid());
                return;
            }
            Duration age = Duration.ofMillis(Math.max(0, System.currentTimeMillis() - Long.parseLong(fields[3])));
            RunningStep step = new RunningStep(
                    Long.parseLong(fields[0]),
                    OctalText.unescape(fields[4]),
                    backend.get(),
                    Long.parseLong(fields[2]),
                    age);
            entries.put(fields[0], new Entry(file.owner().pid(), file.number(), step));
        } catch (NumberFormatException notOurs) {
            Log.LOG.warn(
                    "a line that is none of ours in the list of what runs of process {}",
                    file.owner().pid());
        }
    }

    /** Loaded when there is something to say: finding who logs means opening every jar of the class path. */
    private static final class Log {
        static final Logger LOG = LoggerFactory.getLogger(HostLedger.class);
    }
}
