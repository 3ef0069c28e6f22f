package dev.sandbox.linux;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who belongs to a run, by parents and by sessions. */
final class Kinship {
    private final List<ProcessEntry> members = new ArrayList<>();
    private final Set<Integer> pids = new HashSet<>();
    private final Set<Integer> sessions = new HashSet<>();

    Kinship(int leader, Optional<Integer> init) {
        pids.add(leader);
        init.ifPresent(pids::add);
        sessions.add(leader);
    }

    /** Whether its parent or its session belongs to the run. */
    boolean includes(ProcessEntry entry) {
        return pids.contains(entry.parent()) || sessions.contains(entry.session());
    }

    /** Takes it in, with the session that it leads, if any; true, for use in a removeIf. */
    boolean add(ProcessEntry entry) {
        members.add(entry);
        pids.add(entry.pid());
        if (entry.session() == entry.pid()) {
            sessions.add(entry.pid());
        }
        return true;
    }

    List<ProcessEntry> members() {
        return members;
    }
}
