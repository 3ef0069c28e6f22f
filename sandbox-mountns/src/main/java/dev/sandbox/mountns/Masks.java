package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Access;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.linux.HostPlaceholder;
import dev.sandbox.mountns.MountOperation.Bind;
import dev.sandbox.mountns.MountOperation.Mode;
import dev.sandbox.mountns.MountOperation.Origin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lays the blocks over the grants. Inside a write grant every folder between its root and a block is bound onto itself, so that the
 * kernel answers EBUSY when the step renames one and would carry the block away with it; a missing path gets a placeholder on the
 * host for the mask to lie on, unless the step could make nothing there anyway.
 */
final class Masks {
    /** Where the two masks stand in the new root. */
    static final AbsolutePath HIDDEN = AbsolutePath.of("/.hidden");

    static final AbsolutePath HIDDEN_DIRECTORY = HIDDEN.resolve("directory");
    static final AbsolutePath HIDDEN_FILE = HIDDEN.resolve("file");

    private final FileSystemView files;
    private final Map<AbsolutePath, Bind> binds;
    private final ClosedFolder closed;
    private final Map<AbsolutePath, HostPlaceholder> placeholders = new LinkedHashMap<>();

    /** Adds to {@code binds}, which holds the grants. */
    Masks(FileSystemView files, Map<AbsolutePath, Bind> binds, ClosedFolder closed) {
        this.files = files;
        this.binds = binds;
        this.closed = closed;
    }

    List<HostPlaceholder> placeholders() {
        return List.copyOf(placeholders.values());
    }

    /** To be called in the order of the rules, so that an outer block is there before an inner one. */
    void add(AccessRule block) {
        AbsolutePath path = block.path();
        Optional<Bind> outer = EffectiveGrants.above(binds, path);
        // A private /tmp, or another mask: nothing of the host is seen there, so there is nothing to take.
        boolean takesNothing = outer.isEmpty()
                || outer.get().origin() == Origin.SANDBOX
                || outer.get().kind() != EntryKind.DIRECTORY
                || (block.access() == Access.BLOCKED_WRITE && outer.get().mode() == Mode.READ_ONLY);
        // What a person trusts is protected while it stands; nothing is put in its place.
        takesNothing |= block.isTrustHandoff() && !stands(path);
        if (takesNothing || isPresent(path, block.access())) {
            return;
        }
        EntryKind kind = outer.get().mode() == Mode.READ_WRITE
                ? pinned(block, outer.get())
                : checked(block, path, files.kind(path));
        if (kind != EntryKind.MISSING) {
            binds.put(path, mask(block, kind));
        }
    }

    private boolean stands(AbsolutePath path) {
        EntryKind kind = files.kind(path);
        return kind == EntryKind.FILE || kind == EntryKind.DIRECTORY;
    }

    private boolean isPresent(AbsolutePath path, Access access) {
        Bind present = binds.get(path);
        return present != null
                && (isMask(present) || (access == Access.BLOCKED_WRITE && present.mode() == Mode.READ_ONLY));
    }

    static boolean isMask(Bind bind) {
        return bind.origin() == Origin.SANDBOX && HIDDEN.contains(bind.source());
    }

    private static Bind mask(AccessRule block, EntryKind kind) {
        AbsolutePath path = block.path();
        if (block.access() == Access.BLOCKED_WRITE) {
            return Bind.ofHost(path, kind, Mode.READ_ONLY);
        }
        return kind == EntryKind.DIRECTORY
                ? new Bind(HIDDEN_DIRECTORY, Origin.SANDBOX, path, kind, Mode.READ_ONLY)
                : new Bind(HIDDEN_FILE, Origin.SANDBOX, path, EntryKind.FILE, Mode.READ_ONLY);
    }

    /** Pins what lies between the write grant's root and the block; what the block will find, or MISSING when nothing can be there. */
    private EntryKind pinned(AccessRule block, Bind outer) {
        List<AbsolutePath> between = block.path().ancestors().stream()
                .filter(outer.target()::strictlyContains)
                .toList();
        for (AbsolutePath folder : between) {
            EntryKind kind = present(block, folder, EntryKind.DIRECTORY);
            if (kind == EntryKind.MISSING) {
                return kind;
            }
            binds.putIfAbsent(folder, Bind.ofHost(folder, kind, Mode.READ_WRITE));
            if (kind != EntryKind.DIRECTORY) {
                return EntryKind.MISSING;
            }
        }
        return present(block, block.path(), EntryKind.FILE);
    }

    private EntryKind present(AccessRule block, AbsolutePath path, EntryKind otherwise) {
        HostPlaceholder placed = placeholders.get(path);
        if (placed != null) {
            return placed.kind();
        }
        EntryKind kind = checked(block, path, files.kind(path));
        if (kind == EntryKind.MISSING && !isClosed(path.parent().orElseThrow())) {
            placeholders.put(path, new HostPlaceholder(path, otherwise));
            return otherwise;
        }
        return kind;
    }

    /** Where the step can make nothing, nothing needs to take the path's place. The folder itself is pinned, or the grant's root. */
    private boolean isClosed(AbsolutePath folder) {
        return !placeholders.containsKey(folder) && closed.test(folder);
    }

    private static EntryKind checked(AccessRule block, AbsolutePath path, EntryKind kind) {
        return switch (kind) {
            case DIRECTORY, FILE, SOCKET, FIFO, DEVICE, MISSING -> kind;
            case SYMLINK ->
                throw new SandboxUnavailableException(
                        block.source().where(),
                        path + " has become a symbolic link, which would lead around the block",
                        "remove the link");
            case DENIED ->
                throw new SandboxUnavailableException(
                        block.source().where(),
                        path + " cannot be examined by this account, so the block cannot be enforced",
                        "block the folder above it");
        };
    }
}
