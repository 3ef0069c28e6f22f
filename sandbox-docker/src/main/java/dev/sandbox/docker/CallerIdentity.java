package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * As whom this process acts on the file system.
 *
 * @param uid effective user id
 * @param gid effective group id
 */
record CallerIdentity(long uid, long gid) {
    /** /proc/self belongs to the process's effective ids. */
    static CallerIdentity current() {
        ContainerUser owner = owner(AbsolutePath.of("/proc/self"));
        return new CallerIdentity(owner.uid(), owner.gid());
    }

    boolean isRoot() {
        return uid == 0;
    }

    /** As whom a step runs inside, so that what it writes belongs to the caller, or to whom run_as names. */
    ContainerUser user(ResolvedPolicy policy, EngineFacts.UserIds ids) {
        if (ids == EngineFacts.UserIds.ROOTLESS) {
            return new ContainerUser(0, 0); // the engine's owner, which is the caller, is 0 inside
        }
        return policy.runAs()
                .map(other -> new ContainerUser(other.uid(), other.gid()))
                .orElse(new ContainerUser(uid, gid));
    }

    private static ContainerUser owner(AbsolutePath path) {
        Path file = Path.of(path.toString());
        try {
            // /proc/self is a link to the directory that is asked about
            Path real = file.startsWith("/proc") ? file.toRealPath() : file;
            return new ContainerUser(
                    ((Number) Files.getAttribute(real, "unix:uid", LinkOption.NOFOLLOW_LINKS)).longValue(),
                    ((Number) Files.getAttribute(real, "unix:gid", LinkOption.NOFOLLOW_LINKS)).longValue());
        } catch (IOException e) {
            throw new SandboxUnavailableException("docker", "the owner of " + path + " cannot be read", "", e);
        }
    }
}
