package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.HostPlaces;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.mountns.MountOperation.Bind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What mounts that are kept between steps are made of. They serve while another look gives the same: a file that was replaced, a mount
 * that came below a grant or a blocked path that came into being make others.
 *
 * @param plan what is to stand
 * @param stage where on the host the new root is built
 * @param fstab the plan's mounts, with those of the host below them
 * @param mounts the numbers of the host's mounts that are bound
 * @param places what the host has at each target
 */
record Furnishing(MountPlan plan, AbsolutePath stage, List<String> fstab, List<Integer> mounts, HostPlaces places) {
    /** A look at the host. */
    static Furnishing of(MountPlan plan, AbsolutePath stage, LinuxSyscalls syscalls) {
        MountTable host = MountTable.parse(mountInfo());
        HostPlaces places = HostPlaces.of(places(plan), syscalls);
        return new Furnishing(plan, stage, Fstab.lines(plan, host, stage), mounts(plan, host), places);
    }

    private static Stream<String> mountInfo() {
        try {
            return Files.readAllLines(Path.of("/proc/self/mountinfo"), StandardCharsets.UTF_8).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Integer> mounts(MountPlan plan, MountTable host) {
        return plan.binds()
                .filter(bind -> bind.origin() == MountOperation.Origin.HOST)
                .map(Bind::source)
                .flatMap(source -> Stream.concat(Stream.of(host.at(source)), host.below(source).stream()))
                .map(MountTable.Entry::id)
                .toList();
    }

    /** All but those that stand in the new root alone, such as /tmp. */
    private static TreeSet<AbsolutePath> places(MountPlan plan) {
        TreeMap<AbsolutePath, Bind> byTarget = new TreeMap<>();
        plan.binds().forEach(bind -> byTarget.put(bind.target(), bind));
        TreeSet<AbsolutePath> places = new TreeSet<>();
        for (Bind bind : byTarget.values()) {
            if (bind.origin() == MountOperation.Origin.HOST
                    || EffectiveGrants.above(byTarget, bind.target()).isPresent()) {
                places.add(bind.target());
            }
        }
        return places;
    }
}
