package dev.sandbox.mountns;

class ScriptEnforcerIT extends MountNamespaceContract {
    private static final MountNamespaceBackend BACKEND = Box.backend(MountNamespaceBackend.Way.SCRIPT);

    @Override
    MountNamespaceBackend backend() {
        return BACKEND;
    }

    @Override
    MountNamespaceBackend.Way way() {
        return MountNamespaceBackend.Way.SCRIPT;
    }
}
