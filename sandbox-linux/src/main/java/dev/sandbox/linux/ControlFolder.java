package dev.sandbox.linux;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where an account's sandboxes keep what they tell each other: in {@code /run/sandbox} for root, else in {@code sandbox} below
 * {@code /run/user/UID}, else in a folder below {@code /var/tmp} or {@code /tmp}. It is looked up the same way by every process of
 * the account, whatever its variables say, since they must all find the same records. A folder counts only when it is the account's
 * own and no other may write there; below the folders that all share, a name that somebody else took is passed by. No grant may
 * reach the records, which {@code GrantLimits} of the domain sees to.
 */
public final class ControlFolder {
    private static final int OTHERS_MAY_WRITE = 022;
    private static final int STICKY = 01000;
    /** Somebody who takes so many names is noticed otherwise. */
    private static final int MOST_NAMES = 100;

    private static final String STATE = "state";
    private static final List<String> SHARED = List.of("/var/tmp", "/tmp");
    private static final String SHARED_PREFIX = ".sandbox-";

    private final int uid;
    private final List<Path> candidates;

    private ControlFolder(int uid, List<Path> candidates) {
        this.uid = uid;
        this.candidates = Collections.unmodifiableList(candidates);
    }

    /** That of this process's account. */
    public static ControlFolder ofThisAccount() {
        return of(RawSyscalls.host().geteuid());
    }

    /** One for tests, at a place of its own. */
    public static ControlFolder at(Path folder) {
        return new ControlFolder(RawSyscalls.host().geteuid(), List.of(folder));
    }

    private static ControlFolder of(int uid) {
        List<Path> candidates = new ArrayList<>();
        candidates.add(Path.of(uid == 0 ? "/run/sandbox" : "/run/user/" + uid + "/sandbox"));
        for (String shared : SHARED) {
            Path parent = real(Path.of(shared));
            for (int number = 0; number < MOST_NAMES; number++) {
                candidates.add(parent.resolve(SHARED_PREFIX + uid + (number == 0 ? "" : "." + number)));
            }
        }
        return new ControlFolder(uid, candidates);
    }

    /** Some systems have a link there, which root made. */
    private static Path real(Path parent) {
        try {
            return parent.toRealPath();
        } catch (IOException missing) {
            return parent;
        }
    }

    /** For root those of every account that has one, else this account's. */
    static List<ControlFolder> readable() throws IOException {
        int uid = RawSyscalls.host().geteuid();
        List<ControlFolder> all = new ArrayList<>(List.of(of(uid)));
        if (uid != 0) {
            return all;
        }
        addOthers(Path.of("/run/user"), "[0-9]*", "/sandbox", all);
        for (String parent : SHARED) {
            addOthers(real(Path.of(parent)), SHARED_PREFIX + "[0-9]*", "", all);
        }
        return all;
    }

    private static void addOthers(Path parent, String pattern, String below, List<ControlFolder> all)
            throws IOException {
        if (!Files.isDirectory(parent)) {
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, pattern)) {
            for (Path entry : entries) {
                Object owner = Files.getAttribute(entry, "unix:uid", LinkOption.NOFOLLOW_LINKS);
                if (owner instanceof Integer other && other != 0) {
                    all.add(new ControlFolder(other, List.of(Path.of(entry + below))));
                }
            }
        }
    }

    /** The account's number. */
    int uid() {
        return uid;
    }

    /** Where the records are or would be; no grant may reach there. */
    public AbsolutePath records() {
        Path folder = existing()
                .or(() -> candidates.stream().filter(this::couldBeMade).findFirst())
                .orElse(candidates.get(0));
        return AbsolutePath.of(folder.resolve(STATE).toString());
    }

    /** The folder of the records, if there is one. */
    Optional<Path> found() {
        return existing().map(folder -> folder.resolve(STATE)).filter(this::isOwn);
    }

    /** The folder of the records, made when it is missing. */
    Path make() {
        Path state = folder().resolve(STATE);
        if (!isOwn(state) && !made(state)) {
            throw new SandboxUnavailableException("", state + " belongs to somebody else", "remove it");
        }
        return state;
    }

    /** The folder around the records, made when it is missing; folders beside the records are short-lived and private. */
    Path folder() {
        Optional<Path> folder =
                existing().or(() -> candidates.stream().filter(this::made).findFirst());
        return folder.orElseThrow(() -> new SandboxUnavailableException(
                "",
                "no folder for the sandbox's own records can be made: neither " + candidates.get(0) + " nor one below "
                        + String.join(" or ", SHARED),
                "make " + candidates.get(0).getParent() + " a folder that only this account may write"));
    }

    private Optional<Path> existing() {
        return candidates.stream().filter(this::isOwn).findFirst();
    }

    private boolean couldBeMade(Path folder) {
        Path parent = parent(folder);
        return !Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && isSafe(parent) && Files.isWritable(parent);
    }

    private static Path parent(Path folder) {
        return Objects.requireNonNull(folder.getParent(), "a candidate has a parent");
    }

    private boolean made(Path folder) {
        if (!couldBeMade(folder)) {
            return isOwn(folder);
        }
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return true;
        } catch (FileAlreadyExistsException madeMeanwhile) {
            return isOwn(folder);
        } catch (IOException e) {
            return false;
        }
    }

    /** A parent in which nobody else may replace a folder of ours: one's own, root's, or one with the sticky bit. */
    private boolean isSafe(Path parent) {
        return look(parent)
                .filter(it -> it.uid() == 0 || it.uid() == uid || isRootsOutside(parent, it.uid()))
                .filter(it -> (it.mode() & OTHERS_MAY_WRITE) == 0 || (it.mode() & STICKY) != 0)
                .isPresent();
    }

    /**
     * In a user namespace that does not map root, root's folders seem to be the overflow uid's. Only the host's root makes the folders
     * that all share, so for them that is enough.
     */
    private static boolean isRootsOutside(Path parent, int owner) {
        return SHARED.stream().map(Path::of).map(ControlFolder::real).anyMatch(parent::equals)
                && UidMap.ofThisProcess().isUnmapped(owner);
    }

    private boolean isOwn(Path folder) {
        return isSafe(parent(folder))
                && look(folder)
                        .filter(it -> it.uid() == uid && (it.mode() & OTHERS_MAY_WRITE) == 0)
                        .isPresent();
    }

    private record Look(int uid, int mode) {}

    /** At a folder; absent when it is none, a link included. */
    private static Optional<Look> look(Path folder) {
        try {
            Map<String, Object> found =
                    Files.readAttributes(folder, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
            return found.get("uid") instanceof Integer uid
                            && found.get("mode") instanceof Integer mode
                            && Boolean.TRUE.equals(found.get("isDirectory"))
                    ? Optional.of(new Look(uid, mode))
                    : Optional.empty();
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return records().toString();
    }
}
