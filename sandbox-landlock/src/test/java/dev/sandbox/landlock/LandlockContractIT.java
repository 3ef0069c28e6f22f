package dev.sandbox.landlock;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.testkit.IsolationBackendContract;
import java.nio.file.Path;

/** The contract of every backend, under this kernel. */
final class LandlockContractIT extends IsolationBackendContract {
    private static final StandardSandbox SANDBOX = new Fixture(Path.of("/")).sandbox();

    @Override
    protected StandardSandbox sandbox() {
        return SANDBOX;
    }

    @Override
    protected String needs() {
        return "needs Landlock ABI 3";
    }
}
