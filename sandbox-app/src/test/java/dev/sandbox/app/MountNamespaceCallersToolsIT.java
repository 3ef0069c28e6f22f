package dev.sandbox.app;

final class MountNamespaceCallersToolsIT extends CallersToolsContract {
    @Override
    String backend() {
        return "mountns";
    }
}
