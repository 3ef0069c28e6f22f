package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.OpenHow;
import dev.sandbox.linux.uapi.Statx;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.ArrayList;
import java.util.List;

/** Entries about files. Relative paths are looked up from the descriptor that is given with them. */
public final class FileCalls {
    /** The descriptor that stands for the working directory; with an absolute path none is looked at. */
    public static final Argument HERE = Argument.of(Fcntl.AT_FDCWD);

    private static final int EEXIST = 17;
    private static final int ESTALE = 116;
    private static final long NEW_FILE = Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_CLOEXEC;
    private static final Block NO_LINKS = Block.words(
            "{O_PATH|O_CLOEXEC, RESOLVE_NO_SYMLINKS|RESOLVE_NO_MAGICLINKS}",
            Fcntl.O_PATH | Fcntl.O_CLOEXEC,
            0,
            OpenHow.RESOLVE_NO_SYMLINKS | OpenHow.RESOLVE_NO_MAGICLINKS);
    private static final Argument EMPTY = Argument.at(Block.text(""));

    private FileCalls() {}

    /** The name of what enters the working directory. */
    public static Entry enter(String directory) {
        return Entry.Call.of("enter " + directory, SyscallNumbers.CHDIR, Argument.text(directory));
    }

    public static Entry open(Slot into, String what, Argument from, String path, int flags) {
        return Entry.Call.of(
                        "open " + what,
                        SyscallNumbers.OPENAT,
                        from,
                        Argument.text(path),
                        Argument.of(flags | Fcntl.O_CLOEXEC),
                        Argument.of(0))
                .into(into);
    }

    /** A descriptor that names a file and does nothing with it; no component of the path may be a link (ELOOP). Linux 5.6. */
    public static Entry openWithoutLinks(Slot into, String what, Argument from, String path) {
        return Entry.Call.of(
                        "open " + what,
                        SyscallNumbers.OPENAT2,
                        from,
                        Argument.text(path),
                        Argument.at(NO_LINKS),
                        Argument.of(OpenHow.SIZE))
                .into(into);
    }

    /**
     * Fails with ESTALE unless a descriptor stands for that very file. Whoever names the file keeps it open, or its number could be
     * another's by now.
     *
     * @param file the descriptor
     * @param inode its inode number
     * @param device its device's major and minor number, as they lie in {@code struct statx}
     */
    public static List<Entry> mustBe(Slot file, String what, long inode, long device) {
        Block statx = Block.zero("statx", Statx.SIZE);
        String name = "compare " + what;
        return List.of(
                Entry.Call.of(
                        name,
                        SyscallNumbers.STATX,
                        Argument.in(file),
                        EMPTY,
                        Argument.of(Fcntl.AT_EMPTY_PATH | Fcntl.AT_STATX_DONT_SYNC),
                        Argument.of(Statx.STATX_INO),
                        Argument.at(statx)),
                new Entry.Compare(name, Argument.in(statx.slot(Statx.STX_INO)), Argument.of(inode), ESTALE),
                new Entry.Compare(name, Argument.in(statx.slot(Statx.STX_DEV)), Argument.of(device), ESTALE));
    }

    /** What a failed comparison gives. */
    public static int differs() {
        return ESTALE;
    }

    /** A new directory; one that is there already, in a place that lasts for many steps, serves too. */
    public static Entry directory(String what, Argument from, String path, int mode) {
        return Entry.Call.of(what, SyscallNumbers.MKDIRAT, from, Argument.text(path), Argument.of(mode))
                .tolerating(EEXIST);
    }

    /** A new empty file. */
    public static List<Entry> file(String what, Argument from, String path, int mode) {
        Slot file = Slot.named("file");
        return List.of(
                Entry.Call.of(
                                what,
                                SyscallNumbers.OPENAT,
                                from,
                                Argument.text(path),
                                Argument.of(NEW_FILE),
                                Argument.of(mode))
                        .into(file)
                        .tolerating(EEXIST),
                // What was there already gave no descriptor: closing its errno is EBADF.
                Entry.Call.of(what, SyscallNumbers.CLOSE, Argument.in(file)).tolerating(9));
    }

    public static Entry link(String what, Argument from, String path, String text) {
        return Entry.Call.of(what, SyscallNumbers.SYMLINKAT, Argument.text(text), from, Argument.text(path))
                .tolerating(EEXIST);
    }

    /** Modes are as given from here on. */
    public static Entry clearUmask(Slot old) {
        return Entry.Call.of("clear the umask", SyscallNumbers.UMASK, Argument.of(0))
                .into(old);
    }

    public static Entry restoreUmask(Slot old) {
        return Entry.Call.of("restore the umask", SyscallNumbers.UMASK, Argument.in(old));
    }

    /** Opens a file, writes a text and closes it: a control file of the kernel's. */
    public static List<Entry> write(String what, Argument from, String path, String text) {
        Slot file = Slot.named("file");
        Block bytes = Block.text(text);
        List<Entry> entries = new ArrayList<>();
        entries.add(open(file, what, from, path, Fcntl.O_WRONLY));
        entries.add(Entry.Call.of(
                what,
                SyscallNumbers.WRITE,
                Argument.in(file),
                Argument.at(bytes),
                Argument.of(bytes.content().length - 1L)));
        entries.add(DescriptorCalls.close(file));
        return entries;
    }
}
