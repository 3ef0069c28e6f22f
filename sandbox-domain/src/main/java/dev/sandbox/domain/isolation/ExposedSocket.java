package dev.sandbox.domain.isolation;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.util.Optional;

/**
 * The socket of a runtime of containers or machines that a step of uid 0 could connect to wherever a backend does not hide it: Landlock before
 * ABI 9 does not check connecting, and who talks to such a socket has the host. Looked for only where the backend is to be chosen;
 * who names one knows it.
 */
public final class ExposedSocket {
    private ExposedSocket() {}

    /** The first that stands, which the policy does not hand over by name. */
    public static Optional<AbsolutePath> find(ResolvedPolicy resolved, Host host) {
        Optional<Identity> step =
                resolved.runAs().or(() -> host.files().details().caller());
        boolean asked = resolved.policy().backend().isEmpty()
                && !resolved.policy().require().contains(Guarantee.UNIX_SCOPE)
                && step.filter(Identity::isRoot).isPresent();
        if (!asked) {
            return Optional.empty();
        }
        return host.runtimeSockets()
                .filter(path -> !resolved.allowedSockets().contains(path))
                .findFirst();
    }
}
