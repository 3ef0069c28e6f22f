package dev.sandbox.mountns;

import dev.sandbox.linux.FileDescriptor;
import dev.sandbox.linux.LinuxSyscalls;

final class InitImages {
    private static final FileDescriptor FILE = LinuxSyscalls.host().openPath("/tmp/init-dev.elf");

    private InitImages() {}

    static FileDescriptor file() {
        return FILE;
    }
}
