package dev.sandbox.app;

import dev.sandbox.domain.isolation.BackendName;

final class MountNamespaceHardeningCompatibilityIT extends HardeningCompatibilityContract {
    @Override
    BackendName backend() {
        return BackendName.MOUNTNS;
    }
}
