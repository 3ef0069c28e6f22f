package dev.sandbox.docker;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.testkit.IsolationBackendContract;
import java.util.EnumSet;
import java.util.Set;

/** The contract of every backend, on a real engine. */
final class DockerContractIT extends IsolationBackendContract {
    private static final StandardSandbox SANDBOX = TestBackend.sandbox(TestBackend.of(DockerBackendIT.IMAGE));

    @Override
    protected StandardSandbox sandbox() {
        return SANDBOX;
    }

    @Override
    protected String needs() {
        return "needs a container engine with the image " + DockerBackendIT.IMAGE;
    }

    /** An engine without a bridge knows no other network. */
    @Override
    protected SandboxPolicy.Builder beside(SandboxPolicy.Builder policy) {
        return policy.network(NetworkPolicy.none());
    }

    /** What the samples' files name as their interpreter is not in the image. */
    @Override
    protected Set<Operation> comparedOperations() {
        return EnumSet.complementOf(EnumSet.of(Operation.EXEC));
    }
}
