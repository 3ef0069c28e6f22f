package dev.sandbox.linux;

import com.kenai.jffi.MemoryIO;

/** The loaded C library and raw memory, once for the JVM. */
final class NativeRuntime {
    static final LibC LIBC = new LibC();
    /** By address and without objects, so that memory can be read where nothing may be allocated or loaded. */
    static final MemoryIO MEMORY = MemoryIO.getInstance();

    private NativeRuntime() {}

    /** The errno that this thread's last call left; jffi keeps it from the JVM's own calls. */
    static int errno() {
        return com.kenai.jffi.LastError.getInstance().get();
    }
}
