package dev.sandbox.mountns;

import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.testkit.IsolationBackendContract;

/** The contract of every backend, as this account mounts. */
class MountNamespaceContractIT extends IsolationBackendContract {
    private static final StandardSandbox SANDBOX = Box.sandbox(Privilege.ofThisProcess());

    @Override
    protected StandardSandbox sandbox() {
        return SANDBOX;
    }

    @Override
    protected String needs() {
        return "needs user namespaces";
    }
}
