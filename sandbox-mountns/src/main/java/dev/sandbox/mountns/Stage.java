package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.spawn.Entry;
import dev.sandbox.linux.spawn.FileCalls;
import dev.sandbox.linux.spawn.MountCalls;
import dev.sandbox.linux.spawn.NamespaceCalls;
import dev.sandbox.linux.spawn.Slot;
import dev.sandbox.linux.uapi.Mount;
import dev.sandbox.linux.uapi.Sched;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What lasts from one step of a session to the next: a mount namespace, and for an ordinary user the user namespace that owns it, in
 * which no process is. It shows the host as it is, and holds the private directories. Each step builds its root in a copy.
 *
 * @param mounts the mount namespace
 * @param users the user namespace; absent for one that may mount without
 */
record Stage(FileDescriptor mounts, Optional<FileDescriptor> users) implements AutoCloseable {
    /** Any directory that every host has: it is covered for two calls only. */
    private static final String COVERED = "/usr";

    private static final String SELF = "/proc/self";

    /** Where the entries that make one leave its descriptors: the mount namespace, then the user namespace. */
    static List<Slot> results() {
        return List.of(Slot.named("mount namespace"), Slot.named("user namespace"));
    }

    /**
     * The entries that open what becomes one, by a process that was just born into the namespaces and shares this one's descriptors. No
     * other entry may do that: what it had open when it failed would stay.
     */
    static List<Entry> opening(boolean withUsers, List<Slot> results) {
        List<Entry> entries = new ArrayList<>();
        entries.add(FileCalls.open(results.get(0), "the stage's mount namespace", FileCalls.HERE, SELF + "/ns/mnt", 0));
        if (withUsers) {
            entries.add(
                    FileCalls.open(results.get(1), "the stage's user namespace", FileCalls.HERE, SELF + "/ns/user", 0));
        }
        return entries;
    }

    /** The entries that make one. */
    static List<Entry> making(MountPlan plan, Optional<Account> mapped) {
        List<Entry> entries = new ArrayList<>();
        mapped.ifPresent(
                account -> entries.addAll(NamespaceCalls.mapIds(FileCalls.HERE, SELF, account.uid(), account.gid())));
        entries.add(MountCalls.makeSlave());
        long flags = Mount.MS_NOSUID | Mount.MS_NODEV;
        entries.add(MountCalls.mount("make the stage", "tmpfs", COVERED, flags, "mode=0755,size=1m"));
        for (String folder : List.of(MountProgram.HOST, MountProgram.ROOT, MountProgram.KEPT)) {
            entries.add(FileCalls.directory("make the stage's " + folder, FileCalls.HERE, COVERED + folder, 0700));
        }
        entries.addAll(MountCalls.changeRoot(COVERED, COVERED + MountProgram.HOST));
        entries.add(MountCalls.mount(
                "make the private directories",
                "tmpfs",
                MountProgram.KEPT,
                flags,
                "mode=0755,size=" + MountPlanner.ROOT_BYTES));
        Slot umask = Slot.named("umask");
        entries.add(FileCalls.clearUmask(umask));
        List<AbsolutePath> directories = MountProgram.privateDirectories(plan);
        for (int number = 0; number < directories.size(); number++) {
            entries.add(FileCalls.directory(
                    "make the private " + directories.get(number),
                    FileCalls.HERE,
                    MountProgram.KEPT + "/" + number,
                    01777));
        }
        entries.add(FileCalls.restoreUmask(umask));
        return entries;
    }

    /** The entries that enter it. */
    List<Entry> entering() {
        List<Entry> entries = new ArrayList<>();
        users.ifPresent(
                fd -> entries.add(NamespaceCalls.enter("the user namespace", fd.number(), Sched.CLONE_NEWUSER)));
        entries.add(NamespaceCalls.enter("the stage", mounts.number(), Sched.CLONE_NEWNS));
        return entries;
    }

    List<FileDescriptor> descriptors() {
        List<FileDescriptor> descriptors = new ArrayList<>(List.of(mounts));
        users.ifPresent(descriptors::add);
        return descriptors;
    }

    @Override
    public void close() {
        mounts.close();
        users.ifPresent(FileDescriptor::close);
    }
}
