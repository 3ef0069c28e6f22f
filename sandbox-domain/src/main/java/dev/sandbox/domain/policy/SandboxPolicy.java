package dev.sandbox.domain.policy;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.path.AbsolutePath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.immutables.value.Value;

/**
 * The policy as its author wrote it: paths are texts, relative ones relative to {@link #baseDir}. An empty list grants nothing;
 * the empty policy lets a step read and execute the system baseline and write nowhere. Nothing here is checked against a host:
 * {@link dev.sandbox.domain.resolve.PolicyResolver} does that. Immutable, thread-safe.
 */
@Value.Immutable
@ValueStyle
public interface SandboxPolicy {
    /** What relative paths are relative to. */
    AbsolutePath baseDir();

    /** Where the command starts: inside base_dir or a grant; empty and {@code .} mean base_dir. */
    @Value.Default
    default String workDir() {
        return ".";
    }

    /** Read, list and execute. */
    List<String> readPaths();

    /** Read, list, execute, write, create, delete, rename. */
    List<String> writePaths();

    /** Names only: list the directory tree, read no file. */
    List<String> listPaths();

    /** Neither read nor write; wins over every grant. */
    List<String> blockedPaths();

    /** Readable if granted, never writable; wins over every write grant. */
    List<String> blockedWritePaths();

    /** Read and execute, for tools installed outside the baseline. */
    List<String> extraSystemPaths();

    /** Which of the caller's own tools a step may run. */
    @Value.Default
    default Toolchains toolchains() {
        return Toolchains.NONE;
    }

    /** Where caches and user-installed packages persist across steps; inside a write grant. */
    Optional<String> cacheDir();

    /** What becomes of a grant whose path does not exist; absent: read grants are skipped, write grants created. */
    Optional<OnMissing> onMissing();

    /** Which HOME the step sees. */
    @Value.Default
    default HomeMode home() {
        return HomeMode.PRIVATE;
    }

    /** What becomes of package managers' settings that a private HOME hides. */
    @Value.Default
    default PackageConfig packageConfig() {
        return PackageConfig.PRIVATE;
    }

    /** Which /tmp the step sees. */
    @Value.Default
    default TmpMode tmp() {
        return TmpMode.AUTO;
    }

    /** What of /proc is readable. */
    @Value.Default
    default ProcAccess proc() {
        return ProcAccess.SELF;
    }

    /** What of the host's /dev the step shares where the backend gives it none of its own. */
    @Value.NaturalOrder
    SortedSet<HostDevice> hostDevices();

    /** Which network the step may use. */
    @Value.Default
    default NetworkPolicy network() {
        return NetworkPolicy.allow();
    }

    /** Whether the step may make user namespaces. */
    @Value.Default
    default UserNamespaces userNamespaces() {
        return UserNamespaces.DENY;
    }

    /** Sockets of services that a grant may hand over all the same. */
    List<String> allowSockets();

    /** How the environment is derived. */
    @Value.Default
    default EnvironmentPolicy environment() {
        return EnvironmentPolicy.builder().build();
    }

    /** Bounds of one run. */
    @Value.Default
    default Limits limits() {
        return Limits.builder().build();
    }

    /** Another identity for the step; only for a caller that is root. */
    Optional<RunAs> runAs();

    /** What becomes of files in write grants that a person's own tools run or obey. */
    @Value.Default
    default TrustHandoff trustHandoff() {
        return TrustHandoff.builder().build();
    }

    /** The one backend to use; absent: the first that can. */
    Optional<BackendName> backend();

    /** The container image, for the docker backend. */
    Optional<String> image();

    /** Guarantees wanted beyond those that the policy implies. */
    @Value.NaturalOrder
    SortedSet<Guarantee> require();

    /** The file this policy was read from, which no write grant may cover. */
    Optional<AbsolutePath> policyFile();

    static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link SandboxPolicy}. Takes each path as a text or as a {@link Path}, whose text it is. */
    final class Builder extends ImmutableSandboxPolicy.Builder {
        /** What relative paths are relative to. */
        public Builder baseDir(Path path) {
            return baseDir(AbsolutePath.of(path));
        }

        /** Where the command starts. */
        public Builder workDir(Path path) {
            return workDir(path.toString());
        }

        /** Where caches persist. */
        public Builder cacheDir(Path path) {
            return cacheDir(path.toString());
        }

        /** One more to read, list and execute. */
        public Builder addReadPaths(Path path) {
            return addReadPaths(path.toString());
        }

        /** One more to read and write. */
        public Builder addWritePaths(Path path) {
            return addWritePaths(path.toString());
        }

        /** One more whose names are listed. */
        public Builder addListPaths(Path path) {
            return addListPaths(path.toString());
        }

        /** One more that is neither read nor written. */
        public Builder addBlockedPaths(Path path) {
            return addBlockedPaths(path.toString());
        }

        /** One more that is never written. */
        public Builder addBlockedWritePaths(Path path) {
            return addBlockedWritePaths(path.toString());
        }

        /** One more to read and execute. */
        public Builder addExtraSystemPaths(Path path) {
            return addExtraSystemPaths(path.toString());
        }
    }
}
