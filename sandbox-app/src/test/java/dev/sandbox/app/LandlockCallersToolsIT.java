package dev.sandbox.app;

final class LandlockCallersToolsIT extends CallersToolsContract {
    @Override
    String backend() {
        return "landlock";
    }
}
