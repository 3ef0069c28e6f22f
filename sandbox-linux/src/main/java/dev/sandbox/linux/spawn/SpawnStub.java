package dev.sandbox.linux.spawn;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.MemoryIO;
import com.kenai.jffi.PageManager;
import com.kenai.jffi.Type;
import dev.sandbox.linux.uapi.Architecture;

/**
 * The machine code in memory, once for the JVM. Its pages are written, then made executable, and never written again: never both at
 * once, and on arm64 that change is what makes the instruction cache coherent.
 */
final class SpawnStub {
    private static final long CODE = load();
    private static final CallContext SIGNATURE =
            CallContext.getCallContext(Type.SINT64, new Type[] {Type.POINTER}, CallingConvention.DEFAULT, false);

    private SpawnStub() {}

    private static long load() {
        byte[] code = MachineCode.of(Architecture.host());
        PageManager pages = PageManager.getInstance();
        int count = (int) ((code.length + pages.pageSize() - 1) / pages.pageSize());
        long address = pages.allocatePages(count, PageManager.PROT_READ | PageManager.PROT_WRITE);
        MemoryIO.getInstance().putByteArray(address, code, 0, code.length);
        pages.protectPages(address, count, PageManager.PROT_READ | PageManager.PROT_EXEC);
        return address;
    }

    /** Carries an image out; returns when its outermost child has executed a program or ended: its number, or a negative errno. */
    static long run(ProgramImage image) {
        return Invoker.getInstance().invokeN1(SIGNATURE, CODE, image.address());
    }
}
