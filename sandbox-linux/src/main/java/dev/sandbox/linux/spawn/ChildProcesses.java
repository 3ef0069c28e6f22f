package dev.sandbox.linux.spawn;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.LastError;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;
import dev.sandbox.linux.uapi.Signals;
import dev.sandbox.linux.uapi.Wait;

/** Children of this process by number: until they are reaped, it is nobody else's. */
final class ChildProcesses {
    private static final int EINTR = 4;
    private static final Invoker INVOKER = Invoker.getInstance();
    private static final long KILL = Library.getDefault().getSymbolAddress("kill");
    private static final long WAITPID = Library.getDefault().getSymbolAddress("waitpid");
    private static final CallContext TWO = CallContext.getCallContext(
            Type.SINT32, new Type[] {Type.SINT32, Type.SINT32}, CallingConvention.DEFAULT, false);
    private static final CallContext THREE = CallContext.getCallContext(
            Type.SINT32, new Type[] {Type.SINT32, Type.POINTER, Type.SINT32}, CallingConvention.DEFAULT, true);

    private ChildProcesses() {}

    static void kill(int pid) {
        if (pid > 0) {
            INVOKER.invokeN2(TWO, KILL, pid, Signals.SIGKILL);
        }
    }

    /** Waits for its end; __WALL, for one that ended before it executed a program may be no ordinary child. */
    static void reap(int pid) {
        if (pid <= 0) {
            return;
        }
        int result;
        do {
            result = (int) INVOKER.invokeN3(THREE, WAITPID, pid, 0, Wait.WALL);
        } while (result < 0 && LastError.getInstance().get() == EINTR);
    }
}
