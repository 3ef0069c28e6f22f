package dev.sandbox.app.selftest;

import java.util.List;
import java.util.stream.Stream;

/** Every probe, in the order in which they are shown. */
final class Probes {
    private Probes() {}

    static List<Probe> of(Scene scene) {
        return Stream.of(
                        FileProbes.of(scene),
                        CarveOutProbes.of(scene),
                        CarveOutProbes.handoff(scene),
                        ProcessProbes.of(scene),
                        ProcessProbes.channels(scene),
                        KernelProbes.privileges(scene),
                        KernelProbes.of(scene),
                        KernelProbes.setUid(scene),
                        NetworkProbes.of(scene),
                        NetworkProbes.ports(scene),
                        ResourceProbes.of(scene))
                .flatMap(List::stream)
                .toList();
    }
}
