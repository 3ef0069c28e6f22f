package dev.sandbox.mountns;

import dev.sandbox.linux.ConfinementStep;
import java.util.function.IntSupplier;

/**
 * A named call on the confined thread.
 *
 * @param name for messages
 * @param call made there; 0 or a positive errno
 */
record SyscallStep(String name, IntSupplier call) implements ConfinementStep {
    @Override
    public int apply() {
        return call.getAsInt();
    }
}
