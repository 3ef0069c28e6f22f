package dev.sandbox.app;

final class MountNamespacePackageInstallIT extends PackageInstallContract {
    @Override
    String backend() {
        return "mountns";
    }
}
