package dev.sandbox.linux;

import dev.sandbox.linux.uapi.Poll;

/** poll(2) over a few descriptors. Not thread-safe. */
final class Poller implements AutoCloseable {
    /** An interrupt of the thread is not seen by poll(2): never wait longer than this without looking. */
    static final int SLICE_MILLIS = 100;

    private final RawSyscalls syscalls;
    private final NativeArena arena = new NativeArena();
    private final long entries;
    private final int count;

    Poller(RawSyscalls syscalls, int count) {
        this.syscalls = syscalls;
        this.count = count;
        this.entries = arena.allocate((long) count * Poll.POLLFD_SIZE);
        for (int i = 0; i < count; i++) {
            ignore(i);
        }
    }

    void watch(int index, int fd, short events) {
        NativeArena.putInt(entry(index), fd);
        NativeRuntime.MEMORY.putShort(entry(index) + Poll.EVENTS, events);
    }

    /** A negative descriptor is skipped by the kernel. */
    void ignore(int index) {
        NativeArena.putInt(entry(index), -1);
        NativeRuntime.MEMORY.putShort(entry(index) + Poll.REVENTS, (short) 0);
    }

    /** Waits at most so long. EINTR counts as nothing ready. */
    void poll(int millis) {
        int result = syscalls.poll(entries, count, millis);
        if (result == -Errno.EINTR.number()) {
            for (int i = 0; i < count; i++) {
                NativeRuntime.MEMORY.putShort(entry(i) + Poll.REVENTS, (short) 0);
            }
            return;
        }
        LinuxSyscalls.check(result, "poll", "");
    }

    /** Whether anything happened on it: bytes, the other end closed, or an error that the next call will tell. */
    boolean ready(int index) {
        return NativeRuntime.MEMORY.getShort(entry(index) + Poll.REVENTS) != 0;
    }

    private long entry(int index) {
        return entries + (long) index * Poll.POLLFD_SIZE;
    }

    @Override
    public void close() {
        arena.close();
    }
}
