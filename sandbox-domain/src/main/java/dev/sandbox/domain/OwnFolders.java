package dev.sandbox.domain;

import dev.sandbox.domain.environment.EnvironmentBuilder;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.resolve.RuleSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the caches, the packages, HOME and TMPDIR of one session are: below the bases that the policy gives, or in a private folder
 * that lasts as long as the session, where those cannot be used.
 */
final class OwnFolders implements AutoCloseable {
    /** Longer, and a unix socket in TMPDIR no longer fits sockaddr_un's 108 bytes with a usual name. */
    private static final int LONGEST_TMPDIR = 60;

    /** On a disk, where programs may be run, and granted less often than /tmp. */
    private static final AbsolutePath TMP = AbsolutePath.of("/var/tmp");

    private final HostFiles files;
    private final List<AbsolutePath> made = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<AbsolutePath> cacheBase;
    private Optional<AbsolutePath> tmpDir;

    private OwnFolders(ResolvedPolicy policy, HostFiles files) {
        this.files = files;
        this.cacheBase = policy.cacheBase();
        this.tmpDir = tmpDir(policy);
    }

    /** As the policy says; makes nothing. */
    static OwnFolders planned(ResolvedPolicy policy, HostFiles files) {
        return new OwnFolders(policy, files);
    }

    /** Where they can be; a private folder is made. To be closed. */
    static OwnFolders of(ResolvedPolicy policy, HostFiles files) {
        OwnFolders folders = new OwnFolders(policy, files);
        try {
            folders.replaceWhatCannotBe(policy.policy().home());
            return folders;
        } catch (RuntimeException e) {
            folders.close();
            throw e;
        }
    }

    /** What a session with this policy makes for itself, if nothing is in the way. */
    static List<AbsolutePath> named(ResolvedPolicy policy) {
        return Stream.concat(
                        policy.cacheBase().stream().flatMap(base -> below(base, HomeMode.PRIVATE).stream()),
                        tmpDir(policy).stream())
                .toList();
    }

    private static Optional<AbsolutePath> tmpDir(ResolvedPolicy policy) {
        return policy.tmpBase().isPresent()
                ? Optional.of(policy.tmpBase().get().resolve(EnvironmentBuilder.TMP))
                : Optional.empty();
    }

    private static List<AbsolutePath> below(AbsolutePath base, HomeMode home) {
        List<AbsolutePath> folders = new ArrayList<>();
        folders.add(base.resolve(EnvironmentBuilder.CACHE));
        folders.add(base.resolve(EnvironmentBuilder.LOCAL));
        if (home == HomeMode.PRIVATE) {
            folders.add(base.resolve(EnvironmentBuilder.HOME));
        }
        return folders;
    }

    private void replaceWhatCannotBe(HomeMode home) {
        if (cacheBase.isPresent()) {
            for (AbsolutePath folder : below(cacheBase.get(), home)) {
                Optional<String> obstacle = files.obstacle(folder);
                if (obstacle.isPresent()) {
                    cacheBase = Optional.of(temporary("caches, packages and HOME are", obstacle.get()));
                    break;
                }
            }
        }
        if (tmpDir.isPresent()) {
            Optional<String> obstacle = files.obstacle(tmpDir.get());
            if (obstacle.isPresent()) {
                tmpDir = Optional.of(temporary("TMPDIR is", obstacle.get()));
            } else if (tmpDir.get().toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_TMPDIR) {
                tmpDir = Optional.of(temporary());
            }
        }
    }

    private AbsolutePath temporary(String what, String obstacle) {
        AbsolutePath folder = temporary();
        notes.add(SandboxSession.PRIVATE_FOLDER + what + " in " + folder + ", which goes with the session: " + obstacle
                + "; remove or rename that to keep them");
        return folder;
    }

    private AbsolutePath temporary() {
        AbsolutePath folder = files.createTemporary(TMP);
        made.add(folder);
        return folder;
    }

    /** Under which caches, user installs and HOME are; absent: nothing is redirected. */
    Optional<AbsolutePath> cacheBase() {
        return cacheBase;
    }

    /** TMPDIR; absent: not redirected. */
    Optional<AbsolutePath> tmpDir() {
        return tmpDir;
    }

    /** What was put elsewhere, and why; for people. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** The policy, which lets the step write into the private folders, too. */
    ResolvedPolicy grantedBy(ResolvedPolicy policy) {
        if (made.isEmpty()) {
            return policy;
        }
        ResolvedPolicy.Builder granted = ResolvedPolicy.builder().from(policy);
        RuleSource source = new RuleSource(RuleSource.SANDBOX, -1, "TMPDIR");
        made.forEach(folder -> granted.addRules(new AccessRule(folder, EntryKind.DIRECTORY, Access.WRITE, source)));
        return granted.build();
    }

    /** Removes the private folders. */
    @Override
    public void close() {
        made.forEach(files::removeTree);
        made.clear();
    }
}
