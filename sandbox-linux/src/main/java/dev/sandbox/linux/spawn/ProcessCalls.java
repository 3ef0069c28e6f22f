package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Prctl;
import dev.sandbox.linux.uapi.Signals;
import dev.sandbox.linux.uapi.SyscallNumbers;
import dev.sandbox.linux.uapi.Tty;
import java.util.ArrayList;
import java.util.List;

/** Entries about the process itself: its parent, its signals, its session, and the program that it becomes. */
public final class ProcessCalls {
    private static final int SIGSET_SIZE = 8;
    private static final int ENOENT = 2;
    private static final int EACCES = 13;
    private static final int ENOTDIR = 20;
    private static final int ESRCH = 3;
    /** {@code struct sigaction} as the kernel takes it: all zero is SIG_DFL. */
    private static final Block DEFAULT_ACTION = Block.zero("SIG_DFL", 32);

    private static final Block NO_SIGNAL = Block.zero("no signals", SIGSET_SIZE);
    /** Made once: every step has them. */
    private static final List<Entry> DEFAULT_SIGNALS = defaultSignals();

    private ProcessCalls() {}

    /** The child dies with the thread that made it. Changing ids takes this away. */
    public static Entry dieWithParent() {
        return prctl("die with the JVM", Prctl.PR_SET_PDEATHSIG, Signals.SIGKILL);
    }

    /** The child lives on: by then other means end it with the JVM, whose thread may end at any time. */
    public static Entry outliveThread() {
        return prctl("outlive the spawning thread", Prctl.PR_SET_PDEATHSIG, 0);
    }

    /** Fails when the parent is gone already, which {@link #dieWithParent} alone would not notice. */
    public static List<Entry> parentIs(long pid) {
        Slot parent = Slot.named("parent");
        return List.of(
                Entry.Call.of("look for the JVM", SyscallNumbers.GETPPID).into(parent),
                new Entry.Compare("look for the JVM", Argument.in(parent), Argument.of(pid), ESRCH));
    }

    /** Every signal's default: the JVM's handlers are the JVM's, and it ignores SIGPIPE. */
    public static List<Entry> resetSignals() {
        return DEFAULT_SIGNALS;
    }

    private static List<Entry> defaultSignals() {
        List<Entry> entries = new ArrayList<>();
        for (int signal = 1; signal <= Signals.LAST; signal++) {
            if (signal != Signals.SIGKILL && signal != Signals.SIGSTOP) {
                entries.add(Entry.Call.of(
                        "reset signal " + signal,
                        SyscallNumbers.RT_SIGACTION,
                        Argument.of(signal),
                        Argument.at(DEFAULT_ACTION),
                        Argument.of(0),
                        Argument.of(SIGSET_SIZE)));
            }
        }
        return List.copyOf(entries);
    }

    /** The kernel reaps the children of what is executed. */
    public static Entry ignoreChildren() {
        return Entry.Call.of(
                "ignore SIGCHLD",
                SyscallNumbers.RT_SIGACTION,
                Argument.of(Signals.SIGCHLD),
                Argument.at(Block.words("SIG_IGN", 1, 0, 0, 0)),
                Argument.of(0),
                Argument.of(SIGSET_SIZE));
    }

    /** The last entry before execve: a signal that waits would end or stop the child in the middle of its preparation. */
    public static Entry unblockSignals() {
        return Entry.Call.of(
                "unblock signals",
                SyscallNumbers.RT_SIGPROCMASK,
                Argument.of(Signals.SIG_SETMASK),
                Argument.at(NO_SIGNAL),
                Argument.of(0),
                Argument.of(SIGSET_SIZE));
    }

    public static Entry newSession() {
        return Entry.Call.of("start a session", SyscallNumbers.SETSID);
    }

    /** The terminal that is standard input becomes the session's. */
    public static Entry controllingTerminal() {
        return Entry.Call.of(
                "take the terminal", SyscallNumbers.IOCTL, Argument.of(0), Argument.of(Tty.TIOCSCTTY), Argument.of(0));
    }

    /**
     * Executes a program. One that is absent or may not be executed gives way to the next, as in execvp(3); its errno is kept in the
     * call's result.
     */
    public static Entry.Call execute(String program, Block argv, Block envp) {
        return Entry.Call.of(
                        "execute " + program,
                        SyscallNumbers.EXECVE,
                        Argument.text(program),
                        Argument.at(argv),
                        Argument.at(envp))
                .into(Slot.named("error"))
                .tolerating(ENOENT, EACCES, ENOTDIR);
    }

    /** Executes the file that a descriptor stands for, without an environment. */
    public static Entry executeFile(String what, int descriptor, String name) {
        return Entry.Call.of(
                "execute " + what,
                SyscallNumbers.EXECVEAT,
                Argument.of(descriptor),
                Argument.text(""),
                Argument.at(Block.pointers("argv", List.of(name))),
                Argument.at(Block.pointers("envp", List.of())),
                Argument.of(Fcntl.AT_EMPTY_PATH));
    }

    /** What stands behind the last candidate: it is reached when none could be executed, and fails. */
    public static Entry noCandidate() {
        return new Entry.Compare("find the program", Argument.of(0), Argument.of(1), ENOENT);
    }

    private static Entry prctl(String what, int operation, long argument) {
        return Entry.Call.of(what, SyscallNumbers.PRCTL, Argument.of(operation), Argument.of(argument));
    }
}
