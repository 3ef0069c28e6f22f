package dev.sandbox.app.config;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.verdict.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;

/** Verdicts as JSON. */
public final class VerdictDocument {
    private VerdictDocument() {}

    /** One verdict, and what would enforce it. */
    public static Map<String, Object> of(Verdict verdict, Enforcement enforcement) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("path", verdict.asked().toString());
        document.put("operation", verdict.operation().id());
        document.put("allowed", verdict.isAllowed());
        document.put("resolved", verdict.resolved().toString());
        document.put("kind", verdict.kind().id());
        document.put("links", verdict.steps());
        document.put("rule", verdict.rule().map(VerdictDocument::of).orElse(null));
        document.put("reason", verdict.reason());
        document.put("fix", verdict.fix().isEmpty() ? null : verdict.fix());
        document.put("backend", enforcement.backend().map(BackendName::id).orElse(null));
        document.put("weaker", enforcement.weaker());
        document.put("refused", enforcement.refusal().orElse(null));
        return document;
    }

    private static Map<String, Object> of(AccessRule rule) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("source", rule.source().where());
        document.put("written", rule.source().written());
        document.put("path", rule.path().toString());
        document.put("access", rule.access().id());
        return document;
    }
}
