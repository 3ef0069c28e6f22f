package dev.sandbox.app.selftest;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.result.ExecutionResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Runs every probe on every backend. The probes attack only what {@link Victims} made for them, and send nothing further than this
 * machine's loopback. Not thread-safe.
 */
public final class Selftest {
    /** An environment variable that looks like a secret; whoever makes the sandbox puts it among the caller's. */
    public static final String SECRET_NAME = "SELFTEST_API_TOKEN";

    /** Its value, which stands in the victims' files too. */
    public static final String SECRET = "selftest-secret-8f21";

    /** One of the dynamic loader's variables, to be among the caller's. */
    public static final String LOADER_NAME = "LD_BIND_NOW";

    private final StandardSandbox sandbox;
    private final Optional<String> image;

    /**
     * A test of this sandbox.
     *
     * @param sandbox what is attacked; its caller's variables hold {@link #SECRET_NAME} and {@link #LOADER_NAME}
     * @param image the image for containers; absent: the default one
     */
    public Selftest(StandardSandbox sandbox, Optional<String> image) {
        this.sandbox = sandbox;
        this.image = image;
    }

    /**
     * Tries everything on these backends.
     *
     * @throws IOException when the victims cannot be made
     */
    public SelftestReport run(List<IsolationBackend> backends) throws IOException {
        SelftestReport report = new SelftestReport();
        for (IsolationBackend backend : backends) {
            BackendAssessment assessment = backend.assess(
                    named(SandboxPolicy.builder().baseDir(AbsolutePath.ROOT)).build());
            report.add(assessment);
            if (assessment.isUsable()) {
                try (Victims victims = Victims.make(SECRET_NAME, SECRET)) {
                    attack(assessment, victims, report);
                }
            }
        }
        return report;
    }

    private SandboxPolicy.Builder named(SandboxPolicy.Builder policy) {
        image.ifPresent(policy::image);
        return policy;
    }

    private void attack(BackendAssessment backend, Victims victims, SelftestReport report) throws IOException {
        List<Probe> probes = Probes.of(victims.scene());
        Map<Probe, Outcome> outcomes = new HashMap<>();
        for (Setting setting : Setting.values()) {
            List<Probe> its =
                    probes.stream().filter(probe -> probe.setting() == setting).toList();
            outcomes.putAll(attack(backend, setting, its, victims));
        }
        probes.forEach(
                probe -> report.add(probe, backend.backend(), Objects.requireNonNull(outcomes.get(probe), probe.id())));
    }

    private Map<Probe, Outcome> attack(BackendAssessment backend, Setting setting, List<Probe> probes, Victims victims)
            throws IOException {
        Map<Probe, Outcome> outcomes = new LinkedHashMap<>();
        SandboxPolicy.Builder policy = named(setting.policy(victims.scene())).backend(backend.backend());
        try (SandboxSession session = sandbox.open(policy.build())) {
            Optional<String> lame = withoutProgram(session, victims.scene());
            for (Probe probe : probes) {
                boolean untried = lame.isPresent()
                        && probe.command().program().equals(victims.scene().program());
                Finding finding = untried ? Finding.untried(lame.get()) : attack(session, probe, victims);
                outcomes.put(probe, judge(probe, finding, backend));
            }
        } catch (SandboxException e) {
            Outcome refused =
                    new Outcome(Outcome.Kind.REFUSED, e.problems().get(0).line());
            probes.forEach(probe -> outcomes.putIfAbsent(probe, refused));
        }
        return outcomes;
    }

    private static Finding attack(SandboxSession session, Probe probe, Victims victims) throws IOException {
        Finding finding;
        try {
            finding = probe.evidence().of(session.run(probe.command()), victims);
        } catch (SandboxException e) {
            finding = Finding.untried(e.problems().get(0).line());
        }
        List<Path> changed = victims.changes();
        return changed.isEmpty() || finding.kind() == Finding.Kind.ESCAPED
                ? finding
                : Finding.escaped("changed " + changed.get(0).getFileName());
    }

    /** Why the probe program says nothing here; absent when it does what it should where it may. */
    private static Optional<String> withoutProgram(SandboxSession session, Scene scene) {
        ExecutionResult result = session.run(control(scene));
        return result.stdout().equals(scene.word())
                ? Optional.empty()
                : Optional.of("the probe program does not run here: exit code " + result.exitCode());
    }

    private static Command control(Scene scene) {
        return FileProbes.reading(scene.readonly() + "/word", scene).by(scene.program());
    }

    private static Outcome judge(Probe probe, Finding finding, BackendAssessment backend) {
        return switch (finding.kind()) {
            case DENIED -> new Outcome(Outcome.Kind.HELD, "");
            case UNTRIED -> new Outcome(Outcome.Kind.UNTRIED, finding.detail());
            case ESCAPED ->
                opening(probe, backend)
                        .map(why -> new Outcome(Outcome.Kind.OPEN, why))
                        .orElseGet(() -> new Outcome(Outcome.Kind.BROKEN, finding.detail()));
        };
    }

    /** Why it is documented to succeed there; absent when it must not. */
    private static Optional<String> opening(Probe probe, BackendAssessment backend) {
        return Optional.ofNullable(probe.openings().get(backend.backend()))
                .or(() -> probe.claim().guarantees().stream()
                        .map(backend::promise)
                        .filter(promise -> !promise.isHeld())
                        .map(Promise::reason)
                        .findFirst());
    }
}
