package dev.sandbox.mountns;

/** As this account mounts: root by its capabilities, everybody else in a user namespace. */
class MountNamespaceIT extends MountNamespaceContract {
    private static final MountNamespaceBackend BACKEND = Box.backend(Privilege.ofThisProcess());

    @Override
    MountNamespaceBackend backend() {
        return BACKEND;
    }

    @Override
    Privilege privilege() {
        return Privilege.ofThisProcess();
    }
}
