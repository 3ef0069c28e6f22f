package dev.sandbox.app.config;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.isolation.BackendAssessment;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a backend can do, as JSON. */
public final class AssessmentDocument {
    private AssessmentDocument() {}

    /** One backend, with every guarantee there is. */
    public static Map<String, Object> of(BackendAssessment assessment) {
        Map<String, Object> guarantees = new LinkedHashMap<>();
        for (Guarantee guarantee : Guarantee.values()) {
            Promise promise = assessment.promise(guarantee);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("held", promise.isHeld());
            entry.put("reason", promise.reason());
            entry.put("remedy", promise.remedy().isEmpty() ? null : promise.remedy());
            guarantees.put(guarantee.id(), entry);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", assessment.backend().id());
        document.put("usable", assessment.isUsable());
        document.put("detail", assessment.detail());
        document.put("guarantees", guarantees);
        return document;
    }
}
