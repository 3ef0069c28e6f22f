package dev.sandbox.mountns;

import dev.sandbox.domain.problem.Problem;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Poll;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a script says on its descriptor 3, line by line, while it sets something up. */
final class Answers implements AutoCloseable {
    static final String FAILED = "failed: ";
    /** The function by which a script fails. */
    static final String FAIL = "fail() { printf '" + FAILED + "%s\\n' \"$1\" >&3; exit 1; }";

    private static final int EINTR = 4;
    private static final int BUFFER = 4096;
    private static final int MOST_SAID = 64 * 1024;
    private static final int SECOND = 1000;
    private static final int PATIENCE = 60;

    private final RawSyscalls raw;
    private final FileDescriptor ours;
    private final FileDescriptor theirs;
    private final StringBuilder said = new StringBuilder();

    Answers(LinuxSyscalls syscalls) {
        LinuxSyscalls.Pipe pipe = syscalls.pipe();
        this.raw = syscalls.raw();
        this.ours = pipe.readEnd();
        this.theirs = pipe.writeEnd();
    }

    /** The end that the script writes to. */
    FileDescriptor theirs() {
        return theirs;
    }

    /** After the script was started: its end must be seen as the end of what it says. */
    void begin() {
        theirs.close();
    }

    /** The first line that begins with one of the words; empty when the script has failed, has ended or says nothing more. */
    Optional<String> await(String... words) {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(BUFFER);
            long poll = arena.allocate(Poll.POLLFD_SIZE);
            NativeArena.putInt(poll, ours.number());
            NativeArena.putInt(poll + Poll.EVENTS, Poll.POLLIN);
            int silence = 0;
            Optional<String> found = find(words);
            while (found.isEmpty() && !hasFailed() && silence < PATIENCE) {
                if (raw.poll(poll, 1, SECOND) <= 0) {
                    silence++;
                    continue;
                }
                silence = 0;
                if (!read(buffer)) {
                    break;
                }
                found = find(words);
            }
            return found;
        }
    }

    /** Whether anything was said after the first line that begins with a word; does not wait. */
    boolean saidMoreAfter(String word) {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(BUFFER);
            long poll = arena.allocate(Poll.POLLFD_SIZE);
            NativeArena.putInt(poll, ours.number());
            NativeArena.putInt(poll + Poll.EVENTS, Poll.POLLIN);
            boolean more = true;
            while (more && raw.poll(poll, 1, 0) > 0) {
                more = read(buffer);
            }
        }
        return said.toString().lines().dropWhile(line -> !line.startsWith(word)).count() > 1;
    }

    private boolean read(long buffer) {
        long got = raw.read(ours.number(), buffer, BUFFER);
        if (got > 0) {
            byte[] bytes = new byte[(int) got];
            NativeArena.copy(buffer, bytes, 0, bytes.length);
            said.append(new String(bytes, StandardCharsets.UTF_8));
        }
        return (got > 0 || got == -EINTR) && said.length() < MOST_SAID;
    }

    private Optional<String> find(String... words) {
        return lines().filter(line -> Stream.of(words).anyMatch(line::startsWith))
                .findFirst();
    }

    private boolean hasFailed() {
        return lines().anyMatch(line -> line.startsWith(FAILED));
    }

    /** Whole lines only: the last may not have come to its end. */
    private Stream<String> lines() {
        return said.substring(0, said.lastIndexOf("\n") + 1).lines();
    }

    /** The error to throw when what was awaited did not come; ends the process, which may only hang. */
    SandboxUnavailableException failure(NativeProcess process, String wayOut, String... expected) {
        process.destroyTree();
        String complaint = said.toString()
                .lines()
                .filter(line -> Stream.of(expected).noneMatch(line::startsWith))
                .collect(Collectors.joining(" "));
        String what = complaint.isEmpty() ? lastWords(process) : complaint;
        return new SandboxUnavailableException("mountns", Problem.oneLine(what) + "; nothing ran", wayOut);
    }

    /** What the tools before the script complained of, if the errors come to us. */
    private static String lastWords(NativeProcess process) {
        try {
            String text = new String(process.stderr().readNBytes(BUFFER), StandardCharsets.UTF_8).trim();
            return text.isEmpty() ? "unshare(1) failed before the script began" : text;
        } catch (IOException e) {
            return "unshare(1) failed: " + e.getMessage();
        }
    }

    @Override
    public void close() {
        ours.close();
        theirs.close();
    }
}
