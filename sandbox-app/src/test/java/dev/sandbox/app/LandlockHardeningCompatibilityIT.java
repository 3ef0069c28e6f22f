package dev.sandbox.app;

import dev.sandbox.domain.isolation.BackendName;

final class LandlockHardeningCompatibilityIT extends HardeningCompatibilityContract {
    @Override
    BackendName backend() {
        return BackendName.LANDLOCK;
    }
}
