package dev.sandbox.app;

import dev.sandbox.core.Sandboxes;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.testkit.DiskSample;
import dev.sandbox.testkit.OracleAgreement;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * The heart of the project: what the oracle says of a path is what a real child finds there, under every native backend that promises
 * it. A failing example shrinks, and prints as a tree, a policy file and the command. Each backend's contract does the same with fewer
 * samples; a container takes too long for more.
 */
final class DifferentialIT {
    private final OracleAgreement agreement = new OracleAgreement(
            Sandboxes.builder(Map.of("PATH", "/usr/bin:/bin"))
                    .mountns()
                    .landlock()
                    .build(),
            EnumSet.allOf(Operation.class),
            policy -> policy);

    @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
    void oracleAgreesWithWhatAChildFinds(@ForAll("samples") DiskSample sample) throws IOException {
        Statistics.collect(agreement.check(sample) > 0 ? "compared" : "nothing to compare");
        Statistics.coverage(coverage -> coverage.check("compared").percentage(p -> p > 50));
    }

    @Provide
    Arbitrary<DiskSample> samples() {
        return DiskSample.samples();
    }
}
