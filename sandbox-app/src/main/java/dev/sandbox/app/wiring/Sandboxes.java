package dev.sandbox.app.wiring;

import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.Stage;
import dev.sandbox.docker.DockerModule;
import dev.sandbox.domain.Sandbox;
import dev.sandbox.domain.StandardSandbox;
import dev.sandbox.landlock.LandlockModule;
import dev.sandbox.mountns.MountNamespaceModule;
import java.util.Map;

/** The sandbox with every backend of this distribution, for those who need no wiring of their own. */
public final class Sandboxes {
    private Sandboxes() {}

    /** A sandbox on this host, with this process's environment. */
    public static Sandbox standard() {
        return standard(System.getenv());
    }

    /** A sandbox on this host; steps inherit from the environment given. */
    public static StandardSandbox standard(Map<String, String> environment) {
        return Guice.createInjector(Stage.DEVELOPMENT, new SandboxModule(environment, backends()))
                .getInstance(StandardSandbox.class);
    }

    private static Module[] backends() {
        return new Module[] {new LandlockModule(), new MountNamespaceModule(), new DockerModule()};
    }
}
