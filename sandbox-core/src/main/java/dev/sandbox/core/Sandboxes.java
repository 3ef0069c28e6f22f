package dev.sandbox.core;

import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.StandardSandbox;
import java.util.Map;

/**
 * Sandboxes for those who need no wiring of their own. Put together by hand: what {@link SandboxModule} does with the same backends,
 * without Guice, which need not be on the class path and takes longer to start than a step does.
 */
public final class Sandboxes {
    private Sandboxes() {}

    /** Over every backend on the class path, with this process's environment; {@code SANDBOX_BACKENDS} orders them. */
    public static Sandbox standard() {
        return standard(System.getenv());
    }

    /** As {@link #standard()}; steps inherit from the environment given. */
    public static StandardSandbox standard(Map<String, String> environment) {
        return builder(environment).standard();
    }

    /** Over Landlock alone. */
    public static Sandbox landlock() {
        return builder().landlock().build();
    }

    /** Over mount namespaces alone. */
    public static Sandbox mountns() {
        return builder().mountns().build();
    }

    /** Over the backends that are added to it; steps inherit from this process's environment. */
    public static SandboxBuilder builder() {
        return builder(System.getenv());
    }

    /** Over the backends that are added to it; steps inherit from the environment given. */
    public static SandboxBuilder builder(Map<String, String> environment) {
        return new SandboxBuilder(environment);
    }
}
