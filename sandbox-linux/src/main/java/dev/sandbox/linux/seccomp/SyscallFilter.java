package dev.sandbox.linux.seccomp;

import dev.sandbox.linux.uapi.Architecture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one filter of a step: hardening and network together, since the kernel asks every filter at every call that one of them cares
 * about. Immutable.
 *
 * @param settings what it depends on
 */
public record SyscallFilter(FilterSettings settings) {
    private static final Map<Program, BpfProgram> PROGRAMS = new ConcurrentHashMap<>();

    private record Program(FilterSettings settings, Architecture architecture) {
        // Written out here and below: a record's own are made by invokedynamic, anew at each start of the JVM.
        @Override
        public boolean equals(@Nullable Object object) {
            return object instanceof Program other
                    && settings.equals(other.settings)
                    && architecture == other.architecture;
        }

        @Override
        public int hashCode() {
            return 31 * settings.hashCode() + architecture.hashCode();
        }
    }

    /** Its rules, in the order in which they are asked. */
    public List<HardeningRule> rules() {
        return HardeningRules.of(settings);
    }

    /** The program that enforces them. Made once in this JVM: there are few filters, and every step has one. */
    public BpfProgram program(Architecture architecture) {
        return PROGRAMS.computeIfAbsent(
                new Program(settings, architecture), wanted -> FilterCompiler.compile(rules(), wanted.architecture));
    }

    /** For a plan: one line for each rule. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        rules().forEach(rule -> lines.add("seccomp: " + rule.line()));
        return Collections.unmodifiableList(lines);
    }

    /** The program for this machine, disassembled. */
    public List<String> listing() {
        return program(Architecture.host()).disassemble().lines().toList();
    }

    /** For a plan in JSON. */
    public Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rules", rules().stream().map(SyscallFilter::document).toList());
        document.put("architecture", Architecture.host().name().toLowerCase(Locale.ROOT));
        document.put("program", listing());
        return Collections.unmodifiableMap(document);
    }

    private static Map<String, Object> document(HardeningRule rule) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", rule.name());
        document.put("denies", rule.denies());
        document.put("refusal", rule.refusal().name().toLowerCase(Locale.ROOT));
        return document;
    }
}
