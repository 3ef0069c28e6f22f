package dev.sandbox.domain.isolation;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.verdict.Sight;

/** What a backend's steps see of the host, so that no answer tells them more. */
public final class StepSight {
    private StepSight() {}

    /** Where names outside the grants are not hidden, a step can look for itself. */
    public static Sight of(IsolationBackend backend, BackendAssessment assessment) {
        if (assessment.isUsable() && !assessment.promise(Guarantee.FS_METADATA).isHeld()) {
            return Sight.OPERATOR;
        }
        return backend.stepSight();
    }
}
