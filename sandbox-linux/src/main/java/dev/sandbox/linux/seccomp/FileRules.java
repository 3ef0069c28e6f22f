package dev.sandbox.linux.seccomp;

import static dev.sandbox.linux.seccomp.ArgumentTest.hasAny;
import static dev.sandbox.linux.seccomp.ArgumentTest.is;

import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Fs;
import dev.sandbox.linux.uapi.Stat;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;

/** The rules about what a file is made to be, which neither Landlock nor a mount governs. */
final class FileRules {
    private static final String SET_ID = "A program of the step's would run as the step's account for anyone outside.";

    private static final int SET_UID = Stat.S_ISUID;
    private static final int EITHER = Stat.S_ISUID | Stat.S_ISGID;

    static final List<HardeningRule> ALL = List.of(
            setId("set_id.chmod", "chmod and fchmod of u+s", SET_UID, 1, SyscallNumbers.CHMOD, SyscallNumbers.FCHMOD),
            setId(
                    "set_id.chmodat",
                    "the same below a folder",
                    SET_UID,
                    2,
                    SyscallNumbers.FCHMODAT,
                    SyscallNumbers.FCHMODAT2),
            setId(
                    "set_id.mknod",
                    "making files with u+s or g+s",
                    EITHER,
                    1,
                    SyscallNumbers.MKNOD,
                    SyscallNumbers.CREAT),
            setId("set_id.mknodat", "the same below a folder", EITHER, 2, SyscallNumbers.MKNODAT),
            opening("set_id.open", SyscallNumbers.OPEN, 1),
            opening("set_id.openat", SyscallNumbers.OPENAT, 2),
            new HardeningRule(
                    "set_id.openat2",
                    "openat2",
                    Refusal.ENOSYS,
                    "Its mode lies in memory, where a filter cannot look. Programs fall back to openat.",
                    HardeningRule.When.ALWAYS,
                    List.of(SyscallNumbers.OPENAT2),
                    List.of()),
            new HardeningRule(
                    "file_flags",
                    "changing the flags of a file by ioctl (chattr)",
                    Refusal.EPERM,
                    "A descriptor for reading is enough for it, and Landlock does not look.",
                    HardeningRule.When.ALWAYS,
                    List.of(SyscallNumbers.IOCTL),
                    List.of(
                            request(Fs.FS_IOC_SETFLAGS),
                            request(Fs.FS_IOC32_SETFLAGS),
                            request(Fs.FS_IOC_SETVERSION),
                            request(Fs.FS_IOC32_SETVERSION),
                            request(Fs.FS_IOC_FSSETXATTR))),
            new HardeningRule(
                    "file_flags.setattr",
                    "file_setattr",
                    Refusal.ENOSYS,
                    "The same by a path. It is new (Linux 6.17); programs fall back to ioctl.",
                    HardeningRule.When.ALWAYS,
                    List.of(SyscallNumbers.FILE_SETATTR),
                    List.of()),
            new HardeningRule(
                    "fanotify",
                    "fanotify",
                    Refusal.EPERM,
                    "It watches files outside the grants, which Landlock does not check. Ordinary programs use inotify.",
                    HardeningRule.When.ALWAYS,
                    List.of(SyscallNumbers.FANOTIFY_INIT, SyscallNumbers.FANOTIFY_MARK),
                    List.of()),
            new HardeningRule(
                    "mounts.list",
                    "listmount and statmount",
                    Refusal.ENOSYS,
                    "They tell the host's mounts, whatever of /proc is readable. Programs fall back to /proc/self/mountinfo.",
                    HardeningRule.When.ALWAYS,
                    List.of(SyscallNumbers.LISTMOUNT, SyscallNumbers.STATMOUNT),
                    List.of()));

    private FileRules() {}

    private static HardeningRule setId(String name, String denies, int bits, int mode, SyscallNumbers... calls) {
        return new HardeningRule(
                name,
                denies,
                Refusal.EPERM,
                SET_ID,
                HardeningRule.When.ALWAYS,
                List.of(calls),
                List.of(List.of(hasAny(mode, bits))));
    }

    /** The mode counts only when the call may make a file; else libraries leave there what they like. */
    private static HardeningRule opening(String name, SyscallNumbers call, int flags) {
        return new HardeningRule(
                name,
                call.id() + " that makes a file with u+s or g+s",
                Refusal.EPERM,
                SET_ID,
                HardeningRule.When.ALWAYS,
                List.of(call),
                List.of(List.of(hasAny(flags, Fcntl.O_CREAT | Fcntl.O_TMPFILE_BIT), hasAny(flags + 1, EITHER))));
    }

    private static List<ArgumentTest> request(int request) {
        return List.of(is(1, request));
    }
}
