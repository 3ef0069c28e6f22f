package dev.sandbox.mountns;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Poll;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What the JVM and the script say to each other while the sandbox is set up. */
final class ScriptDialogue {
    private static final int EINTR = 4;
    private static final int EPIPE = 32;
    private static final int BUFFER = 4096;
    private static final int MOST_SAID = 64 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RawSyscalls raw;
    private final FileDescriptor answers;
    private final FileDescriptor commands;

    ScriptDialogue(RawSyscalls raw, FileDescriptor answers, FileDescriptor commands) {
        this.raw = raw;
        this.answers = answers;
        this.commands = commands;
    }

    /** A script that has ended takes nothing more: what it said tells why. */
    void send(String text) {
        try (NativeArena arena = new NativeArena()) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            long address = arena.bytes(bytes);
            int sent = 0;
            while (sent < bytes.length) {
                long result = raw.write(commands.number(), address + sent, bytes.length - (long) sent);
                if (result == -EPIPE) {
                    return;
                }
                if (result != -EINTR) {
                    sent += LinuxSyscalls.check((int) result, "write", "script");
                }
            }
        }
    }

    /** The lines up to the one that decides, or up to the script's end. */
    List<String> untilDecided() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        StringBuilder said = new StringBuilder();
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(BUFFER);
            long poll = arena.allocate(Poll.POLLFD_SIZE);
            NativeArena.putInt(poll, answers.number());
            NativeArena.putInt(poll + Poll.EVENTS, Poll.POLLIN);
            while (!isDecided(said)) {
                if (System.nanoTime() > end) {
                    throw new SandboxUnavailableException(
                            "mountns", "the sandbox was not set up in " + PATIENCE.toSeconds() + " s", "");
                }
                if (raw.poll(poll, 1, 1000) <= 0) {
                    continue;
                }
                long got = raw.read(answers.number(), buffer, BUFFER);
                if (got == 0 || said.length() > MOST_SAID) {
                    break;
                }
                if (got > 0) {
                    byte[] bytes = new byte[(int) got];
                    NativeArena.copy(buffer, bytes, 0, bytes.length);
                    said.append(new String(bytes, StandardCharsets.UTF_8));
                }
            }
        }
        return said.toString().lines().toList();
    }

    private static boolean isDecided(StringBuilder said) {
        String text = said.toString();
        if (!text.endsWith("\n")) {
            return false;
        }
        String last = text.substring(text.lastIndexOf('\n', text.length() - 2) + 1);
        return last.startsWith("ready ")
                || last.startsWith("missing")
                || last.startsWith("refused ")
                || last.startsWith("failed: ");
    }

    /** The process that unshare(1) has forked: the init of the new PID namespace, by its number out here. */
    static int onlyChild(int parent) {
        try {
            Path children = Path.of("/proc/" + parent + "/task/" + parent + "/children");
            return Integer.parseInt(Files.readString(children).trim().split(" ")[0]);
        } catch (IOException | NumberFormatException e) {
            throw new SandboxUnavailableException("mountns", "the sandbox ended while it was set up", "", e);
        }
    }

    /** What unshare(1) itself complained of, if the step's errors come to us. */
    static String lastWords(NativeProcess process) {
        try {
            byte[] said = process.stderr().readNBytes(BUFFER);
            String text = new String(said, StandardCharsets.UTF_8).trim();
            return text.isEmpty() ? "unshare(1) failed before the script began" : text;
        } catch (IOException e) {
            return "unshare(1) failed: " + e.getMessage();
        }
    }
}
