package dev.sandbox.mountns;

import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeProcess;
import dev.sandbox.linux.uapi.Fcntl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Namespaces in which a plan has been carried out, kept by a process that only waits. Steps enter them one after another or at once.
 * Everything in it ends when it is closed, or with the JVM.
 */
final class Room implements AutoCloseable {
    private final NativeProcess holder;
    private final FileDescriptor life;
    private final List<FileDescriptor> namespaces;

    private Room(NativeProcess holder, FileDescriptor life, List<FileDescriptor> namespaces) {
        this.holder = holder;
        this.life = life;
        this.namespaces = namespaces;
    }

    /**
     * Takes over a holder whose mounts are made.
     *
     * @param init the first process of its PID namespace, by its number out here
     * @param life what it waits on
     */
    static Room of(NativeProcess holder, int init, FileDescriptor life, MountPlan plan, LinuxSyscalls syscalls) {
        List<FileDescriptor> namespaces = new ArrayList<>();
        try {
            for (String name : names(plan)) {
                namespaces.add(syscalls.open("/proc/" + init + "/ns/" + name, Fcntl.O_RDONLY));
            }
        } catch (RuntimeException e) {
            namespaces.forEach(FileDescriptor::close);
            throw e;
        }
        return new Room(holder, life, namespaces);
    }

    private static List<String> names(MountPlan plan) {
        List<String> names = new ArrayList<>(List.of("user", "mnt", "pid", "uts"));
        if (plan.network() == MountPlan.Network.NONE) {
            names.add("net");
        }
        return names;
    }

    /** The arguments by which nsenter(1) enters, when it has {@link #namespaces} from that descriptor on. */
    static List<String> arguments(MountPlan plan, int first) {
        List<String> arguments = new ArrayList<>(List.of("--preserve-credentials"));
        List<String> names = names(plan);
        for (int i = 0; i < names.size(); i++) {
            String option = names.get(i).equals("mnt") ? "mount" : names.get(i);
            arguments.add("--" + option + "=/proc/self/fd/" + (first + i));
        }
        return arguments;
    }

    List<FileDescriptor> namespaces() {
        return namespaces;
    }

    boolean isAlive() {
        try {
            return holder.waitFor(Duration.ZERO).isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        namespaces.forEach(FileDescriptor::close);
        life.close();
        holder.close();
    }
}
