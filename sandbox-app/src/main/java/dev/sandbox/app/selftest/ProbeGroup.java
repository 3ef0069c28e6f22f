package dev.sandbox.app.selftest;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds the probes of one kind. Not thread-safe. */
final class ProbeGroup {
    /** What each script may use: the scene's paths by short names, and words to end with. */
    private static final String PROLOGUE = """
            outside=$1 inside=$2 readonly=$3 carved=$4 caller=$5 descriptor=$6 word=$7
            verdict() {
                "$@" >/dev/null 2>&1
                case $? in
                    0) echo ESCAPED ;;
                    126 | 127) echo "UNTRIED $1 does not run here" ;;
                    *) echo DENIED ;;
                esac
            }
            runs() { if "$@" >/dev/null 2>&1; then echo ESCAPED; else echo DENIED; fi; }
            holds_word() { grep -q "$word" "$1"; }
            append() { echo attack >> "$1"; }
            """ + Controls.PROLOGUE;

    private final Scene scene;
    private final Setting setting;
    private final String name;
    private final List<Probe> probes = new ArrayList<>();

    ProbeGroup(Scene scene, Setting setting, String name) {
        this.scene = scene;
        this.setting = setting;
        this.name = name;
    }

    /** A POSIX shell script that ends by saying how it went. */
    ProbeGroup script(String id, Claim claim, String meaning, String script) {
        return script(id, claim, meaning, script, Evidence.lastWord());
    }

    /** A script whose success is seen otherwise. */
    ProbeGroup script(String id, Claim claim, String meaning, String script, Evidence evidence) {
        List<String> argv =
                new ArrayList<>(List.of(Command.SHELL, "-c", PROLOGUE + Controls.of(script) + script, "probe"));
        argv.addAll(scene.arguments());
        return add(id, claim, meaning, Command.of(argv), evidence);
    }

    /** System calls, made by the probe program. */
    ProbeGroup calls(String id, Claim claim, String meaning, ProbeCalls calls, Evidence evidence) {
        return add(id, claim, meaning, calls.by(scene.program()), evidence);
    }

    private ProbeGroup add(String id, Claim claim, String meaning, Command command, Evidence evidence) {
        probes.add(new Probe(name + "." + id, claim, meaning, setting, command, evidence, Map.of()));
        return this;
    }

    /** The last one is documented to succeed there. */
    ProbeGroup openOn(BackendName backend, String why) {
        Probe last = probes.remove(probes.size() - 1);
        Map<BackendName, String> openings = new TreeMap<>(last.openings());
        openings.put(backend, why);
        probes.add(new Probe(
                last.id(), last.claim(), last.meaning(), last.setting(), last.command(), last.evidence(), openings));
        return this;
    }

    /** The last one is documented to succeed everywhere. */
    ProbeGroup openEverywhere(String why) {
        for (BackendName backend : BackendName.standard()) {
            openOn(backend, why);
        }
        return this;
    }

    List<Probe> probes() {
        return List.copyOf(probes);
    }
}
