package dev.sandbox.app;

final class LandlockPackageInstallIT extends PackageInstallContract {
    @Override
    String backend() {
        return "landlock";
    }
}
