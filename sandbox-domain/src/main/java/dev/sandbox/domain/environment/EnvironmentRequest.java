package dev.sandbox.domain.environment;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.HomeMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/** What the derivation of an environment starts from. Immutable. Values may be secret: {@link #toString} shows no values. */
@Value.Immutable
@ValueStyle
public abstract class EnvironmentRequest {
    /** What the policy says. */
    public abstract EnvironmentPolicy policy();

    /** The caller's environment. */
    public abstract Map<String, String> host();

    /** Whether HOME is private. */
    public abstract HomeMode home();

    /** Under which caches, user installs and HOME are kept; absent: nothing is redirected. */
    public abstract Optional<AbsolutePath> cacheBase();

    /** The folder for TMPDIR; absent: not redirected. */
    public abstract Optional<AbsolutePath> tmpDir();

    /** Whether the step can write in /tmp: some programs know no other place unless they are told. */
    @Value.Default
    public SystemTmp systemTmp() {
        return SystemTmp.WRITABLE;
    }

    /** As whom the step runs; absent: as the caller, and its names for itself are true. */
    public abstract Optional<Identity> runAs();

    /** Folders of the caller's own tools, searched before the rest of the caller's PATH. */
    public abstract List<AbsolutePath> toolFolders();

    /** What these tools are told; wins over where their kind is redirected to. */
    public abstract Map<String, String> toolVariables();

    /** What of the caller's package managers is carried over. */
    @Value.Default
    public PackageSettings settings() {
        return PackageSettings.NONE;
    }

    /** Whether an entry of the caller's PATH is of use to the step. */
    public abstract PathFilter pathFilter();

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String toString() {
        return "EnvironmentRequest{policy=" + policy() + "}";
    }

    /** Decides which PATH entries stay. */
    @FunctionalInterface
    public interface PathFilter {
        /** False for a directory that exists and that the step may not execute from: a shell would stop there. */
        boolean keeps(AbsolutePath directory);
    }

    /** Builds an {@link EnvironmentRequest}. */
    public static final class Builder extends ImmutableEnvironmentRequest.Builder {}
}
