package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.Net;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Entries about namespaces. A user namespace cannot be unshared by a child that shares memory: it comes with its clone. */
public final class NamespaceCalls {
    private static final int LOOPBACK_REQUEST = 40;
    private static final int FLAGS_OFFSET = 16;
    private static final int UP_RUNNING = 0x41;

    private NamespaceCalls() {}

    /**
     * The child's own ids, mapped to themselves in its new user namespace; groups cannot be changed in it.
     *
     * @param proc a descriptor of a proc that shows the child, from which {@code self} is looked up
     */
    public static List<Entry> mapIds(Argument proc, String self, long uid, long gid) {
        List<Entry> entries = new ArrayList<>();
        entries.addAll(FileCalls.write("deny setgroups", proc, self + "/setgroups", "deny"));
        entries.addAll(FileCalls.write("map the user", proc, self + "/uid_map", uid + " " + uid + " 1"));
        entries.addAll(FileCalls.write("map the group", proc, self + "/gid_map", gid + " " + gid + " 1"));
        return entries;
    }

    public static Entry unshare(String what, long flags) {
        return Entry.Call.of("unshare " + what, SyscallNumbers.UNSHARE, Argument.of(flags));
    }

    /** Enters a namespace by its descriptor. */
    public static Entry enter(String what, long descriptor, long type) {
        return Entry.Call.of("enter " + what, SyscallNumbers.SETNS, Argument.of(descriptor), Argument.of(type));
    }

    public static Entry hostName(String name) {
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        return Entry.Call.of("set the hostname", SyscallNumbers.SETHOSTNAME, Argument.text(name), Argument.of(length));
    }

    /** A loopback that is down refuses even 127.0.0.1. */
    public static List<Entry> loopbackUp() {
        Slot socket = Slot.named("socket");
        byte[] request = new byte[LOOPBACK_REQUEST];
        request[0] = 'l';
        request[1] = 'o';
        request[FLAGS_OFFSET] = UP_RUNNING;
        return List.of(
                Entry.Call.of(
                                "bring up the loopback",
                                SyscallNumbers.SOCKET,
                                Argument.of(Net.AF_INET),
                                Argument.of(Net.SOCK_DGRAM | Net.SOCK_CLOEXEC),
                                Argument.of(0))
                        .into(socket),
                Entry.Call.of(
                        "bring up the loopback",
                        SyscallNumbers.IOCTL,
                        Argument.in(socket),
                        Argument.of(Net.SIOCSIFFLAGS),
                        Argument.at(Block.bytes("{lo, UP|RUNNING}", request))),
                DescriptorCalls.close(socket));
    }
}
