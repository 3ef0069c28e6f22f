package dev.sandbox.domain.isolation;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.verdict.Sight;

/** What a backend's steps see of the host, so that no answer tells them more. */
public final class StepSight {
    private StepSight() {}

    /** Where names outside the grants are not hidden, a step can look for itself. */
    public static Sight of(BackendAssessment backend) {
        if (backend.isUsable() && !backend.promise(Guarantee.FS_METADATA).isHeld()) {
            return Sight.OPERATOR;
        }
        return backend.backend() == BackendName.DOCKER ? Sight.STEP_IN_IMAGE : Sight.STEP;
    }
}
