package dev.sandbox.linux;

import java.lang.reflect.Proxy;

/**
 * Signals that this JVM gets. The JDK's one way to hear of them is {@code sun.misc.Signal}, which jdk.unsupported exports; javac warns
 * of its every use, and lets nobody suppress that, so it is called by name.
 */
final class JvmSignals {
    private JvmSignals() {}

    /**
     * From now on runs it, on a thread of the JVM's, whenever the signal comes.
     *
     * @param name without SIG
     * @throws IllegalStateException when the JVM keeps the signal for itself, or does not know it
     */
    static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object acting = Proxy.newProxyInstance(
                    JvmSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        action.run();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), acting);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("SIG" + name + " cannot be handled", e);
        }
    }
}
