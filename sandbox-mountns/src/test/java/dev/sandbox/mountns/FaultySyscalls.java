package dev.sandbox.mountns;

import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.RawSyscalls;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The kernel's calls, of which one fails: the nth of those that set a sandbox up. All before it are real, so what it leaves behind is
 * real as well. Some run on the confined thread: no class is loaded and nothing thrown here.
 */
final class FaultySyscalls extends RawSyscalls {
    /** EIO: no step takes it for an answer that it can live with. */
    static final int ERRNO = 5;

    private static final int ENOSYS = 38;
    private static final int MOST_CALLS = 4096;

    private final String[] made = new String[MOST_CALLS];
    private final int failing;
    private final long filter;
    private final boolean old;
    private int count;

    private FaultySyscalls(int failing, long filter, boolean old) {
        this.failing = failing;
        this.filter = filter;
        this.old = old;
    }

    /** Only counts. */
    static FaultySyscalls none() {
        return new FaultySyscalls(0, 0, false);
    }

    /** Only counts, on a kernel where the init must mount its /proc. */
    static FaultySyscalls ofAnOldKernel() {
        return new FaultySyscalls(0, 0, true);
    }

    /** The nth call fails, from 1. */
    static FaultySyscalls failingAt(int call) {
        return new FaultySyscalls(call, 0, false);
    }

    /** Before the nth call the confined thread, and so all that it starts, loses the given system calls: EIO. */
    static FaultySyscalls withoutAfter(int call, boolean old, int... numbers) {
        NativeArena arena = new NativeArena();
        byte[] instructions = deny(numbers);
        long program = arena.allocate(16);
        NativeArena.putInt(program, instructions.length / 8);
        NativeArena.putLong(program + 8, arena.bytes(instructions));
        return new FaultySyscalls(call, program, old);
    }

    /** {@code ld nr; jeq each, deny; ...; ret allow; ret errno}, as {@code struct sock_filter}. */
    private static byte[] deny(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * (numbers.length + 3)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(0x20);
        for (int i = 0; i < numbers.length; i++) {
            bytes.putShort((short) 0x15)
                    .put((byte) (numbers.length - i))
                    .put((byte) 0)
                    .putInt(numbers[i]);
        }
        bytes.putShort((short) 0x06).putShort((short) 0).putInt(0x7fff0000);
        bytes.putShort((short) 0x06).putShort((short) 0).putInt(0x00050000 | ERRNO);
        return bytes.array();
    }

    LinuxSyscalls checked() {
        return new LinuxSyscalls(this);
    }

    /** The calls that were made, by name and in order. */
    List<String> calls() {
        return Arrays.asList(made).subList(0, count);
    }

    /** Which call fails. */
    @Override
    public String toString() {
        return failing == 0 || failing > count ? "no fault" : "fault at call " + failing + ", " + made[failing - 1];
    }

    private boolean fails(String call) {
        made[count++] = call;
        if (count == failing && filter != 0) {
            super.seccompSetFilter(filter);
            return false;
        }
        return count == failing;
    }

    @Override
    public int prctl(int operation, long a, long b, long c, long d) {
        return fails("prctl") ? -ERRNO : super.prctl(operation, a, b, c, d);
    }

    @Override
    public int capset(long header, long data) {
        return fails("capset") ? -ERRNO : super.capset(header, data);
    }

    @Override
    public int setgroups(int count, long groups) {
        return fails("setgroups") ? -ERRNO : super.setgroups(count, groups);
    }

    @Override
    public int setresgid(int real, int effective, int saved) {
        return fails("setresgid") ? -ERRNO : super.setresgid(real, effective, saved);
    }

    @Override
    public int setresuid(int real, int effective, int saved) {
        return fails("setresuid") ? -ERRNO : super.setresuid(real, effective, saved);
    }

    @Override
    public int seccompSetFilter(long program) {
        return fails("seccomp") ? -ERRNO : super.seccompSetFilter(program);
    }

    @Override
    public int unshare(int flags) {
        return fails("unshare") ? -ERRNO : super.unshare(flags);
    }

    @Override
    public int setns(int namespace, int type) {
        return fails("setns") ? -ERRNO : super.setns(namespace, type);
    }

    @Override
    public int mount(long source, long target, long type, long flags, long data) {
        return fails("mount") ? -ERRNO : super.mount(source, target, type, flags, data);
    }

    @Override
    public int umount2(long target, int flags) {
        return fails("umount2") ? -ERRNO : super.umount2(target, flags);
    }

    @Override
    public int pivotRoot(long newRoot, long putOld) {
        return fails("pivot_root") ? -ERRNO : super.pivotRoot(newRoot, putOld);
    }

    @Override
    public int mountSetattr(int directory, long path, int flags, long attributes, long size) {
        return fails("mount_setattr") ? -ERRNO : super.mountSetattr(directory, path, flags, attributes, size);
    }

    @Override
    public int openTree(int directory, long path, int flags) {
        return fails("open_tree") ? -ERRNO : super.openTree(directory, path, flags);
    }

    @Override
    public int moveMount(int from, long fromPath, int to, long toPath, int flags) {
        return fails("move_mount") ? -ERRNO : super.moveMount(from, fromPath, to, toPath, flags);
    }

    @Override
    public int fsopen(long type, int flags) {
        return old ? -ENOSYS : fails("fsopen") ? -ERRNO : super.fsopen(type, flags);
    }

    @Override
    public int fsconfig(int context, int command, long key, long value, int auxiliary) {
        return fails("fsconfig") ? -ERRNO : super.fsconfig(context, command, key, value, auxiliary);
    }

    @Override
    public int fsmount(int context, int flags, int attributes) {
        return fails("fsmount") ? -ERRNO : super.fsmount(context, flags, attributes);
    }

    @Override
    public int pidfdOpen(int pid, int flags) {
        return fails("pidfd_open") ? -ERRNO : super.pidfdOpen(pid, flags);
    }

    @Override
    public int fchmodat(int directory, long path, int mode) {
        return fails("fchmodat") ? -ERRNO : super.fchmodat(directory, path, mode);
    }

    @Override
    public int chdir(long path) {
        return fails("chdir") ? -ERRNO : super.chdir(path);
    }

    @Override
    public int chroot(long path) {
        return fails("chroot") ? -ERRNO : super.chroot(path);
    }

    @Override
    public int sethostname(long name, long length) {
        return fails("sethostname") ? -ERRNO : super.sethostname(name, length);
    }

    @Override
    public int openat(int directory, long path, int flags, int mode) {
        return fails("openat") ? -ERRNO : super.openat(directory, path, flags, mode);
    }

    @Override
    public int openat2(int directory, long path, long how, long size) {
        return fails("openat2") ? -ERRNO : super.openat2(directory, path, how, size);
    }

    @Override
    public int mkdirat(int directory, long path, int mode) {
        return fails("mkdirat") ? -ERRNO : super.mkdirat(directory, path, mode);
    }

    @Override
    public int symlinkat(long target, int directory, long path) {
        return fails("symlinkat") ? -ERRNO : super.symlinkat(target, directory, path);
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return fails("socket") ? -ERRNO : super.socket(domain, type, protocol);
    }

    @Override
    public int ioctl(int fd, long request, long argument) {
        return fails("ioctl") ? -ERRNO : super.ioctl(fd, request, argument);
    }

    @Override
    public int pipe2(long fds, int flags) {
        return fails("pipe2") ? -ERRNO : super.pipe2(fds, flags);
    }

    @Override
    public long read(int fd, long buffer, long size) {
        return fails("read") ? -ERRNO : super.read(fd, buffer, size);
    }

    @Override
    public long write(int fd, long buffer, long size) {
        return fails("write") ? -ERRNO : super.write(fd, buffer, size);
    }
}
