package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Signals;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands signals of this process on to Java code, on one thread of its own. Not by the JVM's own means: those do not take SIGQUIT, for
 * which the JVM prints a dump, and take none at all under {@code -Xrs}. The JVM's handler of such a signal is replaced, so its shutdown
 * hooks run only when somebody calls exit.
 *
 * <p>Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/sigaction.2.html">sigaction(2)</a>
 */
public final class SignalRelay {
    private static final int BUFFER = 64;
    /** With a signal's number: what the reading thread is to do first. */
    private static final int UNBLOCK = 0x80;

    /** No signal has it: the reading thread ends. */
    private static final int END = 0;

    private static volatile @Nullable SignalRelay started;

    private static final class Host {
        static final SignalRelay RELAY = new SignalRelay();
    }

    private final RawSyscalls raw = RawSyscalls.host();
    private final ConcurrentMap<Integer, IntConsumer> receivers = new ConcurrentHashMap<>();
    private final FileDescriptor pipe;
    private final FileDescriptor writeEnd;
    private final long handler;
    private final long restorer;

    private SignalRelay() {
        LinuxSyscalls.Pipe ends = LinuxSyscalls.host().pipe();
        pipe = ends.readEnd();
        writeEnd = ends.writeEnd();
        // A handler must not wait: a pipe full of signals that nobody has taken yet can do without one more.
        LinuxSyscalls.host().setNonBlocking(ends.writeEnd());
        handler = SignalHandlerCode.load(Architecture.host(), ends.writeEnd().number());
        restorer = SignalHandlerCode.restorer(Architecture.host(), handler);
        Thread reader = new Thread(this::read, "sandbox-signals");
        reader.setDaemon(true);
        reader.start();
        started = this;
    }

    /** Hands on no more. Before this process ends: a JVM waits 300 ms for a thread that is in the kernel. */
    public static void end() {
        SignalRelay relay = started;
        if (relay != null) {
            try (NativeArena arena = new NativeArena()) {
                long end = arena.allocate(Integer.BYTES);
                NativeArena.putInt(end, END);
                // In a pipe that is full it finds no place: then the end takes those 300 ms.
                long unused = relay.raw.write(relay.writeEnd.number(), end, 1);
            }
        }
    }

    /**
     * From now on hands this signal on, unless this process was started with the signal ignored, as nohup does. The receiver is called
     * with the signal's number; signals that come while it works wait.
     */
    public static void receive(int signal, IntConsumer receiver) {
        Host.RELAY.install(signal, receiver);
    }

    private void install(int signal, IntConsumer receiver) {
        receivers.put(signal, receiver);
        try (NativeArena arena = new NativeArena()) {
            long before = arena.allocate(Signals.SIGACTION_SIZE);
            LinuxSyscalls.check(raw.sigaction(signal, before), "rt_sigaction", "signal " + signal);
            if (NativeArena.getLong(before) == Signals.SIG_IGN) {
                return;
            }
            long action = arena.allocate(Signals.SIGACTION_SIZE);
            int flags = Signals.SA_RESTART | Signals.SA_ONSTACK | (restorer == 0 ? 0 : Signals.SA_RESTORER);
            NativeArena.putLong(action, handler);
            NativeArena.putLong(action + Signals.SA_FLAGS, flags);
            NativeArena.putLong(action + Signals.SA_RESTORER_OFFSET, restorer);
            LinuxSyscalls.check(raw.setSigaction(signal, action), "rt_sigaction", "signal " + signal);
            NativeArena.putInt(action, signal | UNBLOCK);
            LinuxSyscalls.check((int) raw.write(writeEnd.number(), action, 1), "write", "the pipe of signals");
        }
    }

    private void read() {
        try (NativeArena arena = new NativeArena()) {
            long buffer = arena.allocate(BUFFER);
            byte[] numbers = new byte[BUFFER];
            while (true) {
                long count = raw.read(pipe.number(), buffer, BUFFER);
                if (count == -Errno.EINTR.number()) {
                    continue;
                }
                LinuxSyscalls.check((int) count, "read", "the pipe of signals");
                NativeArena.copy(buffer, numbers, 0, (int) count);
                for (int i = 0; i < count; i++) {
                    if (numbers[i] == END) {
                        return;
                    }
                    take(numbers[i]);
                }
            }
        }
    }

    private void take(byte number) {
        if ((number & UNBLOCK) != 0) {
            unblock(number & ~UNBLOCK & 0xff);
        } else {
            hand(number);
        }
    }

    /** On this thread, which is enough. Programs hand on what they block: a JVM that starts another blocks SIGQUIT. */
    private void unblock(int signal) {
        try (NativeArena arena = new NativeArena()) {
            long set = arena.allocate(Long.BYTES);
            NativeArena.putLong(set, 1L << (signal - 1));
            LinuxSyscalls.check(raw.sigprocmask(Signals.SIG_UNBLOCK, set), "rt_sigprocmask", "signal " + signal);
        }
    }

    private void hand(int signal) {
        IntConsumer receiver = receivers.get(signal);
        if (receiver != null) {
            receiver.accept(signal);
        }
    }
}
