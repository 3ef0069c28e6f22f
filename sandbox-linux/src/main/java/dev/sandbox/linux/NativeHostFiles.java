package dev.sandbox.linux;

import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Folders on this host, made and removed by descriptors: a link that a step left behind is never followed. Thread-safe. */
public final class NativeHostFiles implements HostFiles {
    private static final int NAME_BYTES = 5;
    private static final AbsolutePath TMP = AbsolutePath.of("/tmp");

    private final HostDirectories directories;
    private final LinuxSyscalls syscalls;
    private final List<AbsolutePath> fallbacks;
    private final Optional<Identity> owner;
    private final ControlFolder control = ControlFolder.ofThisAccount();

    public NativeHostFiles(LinuxSyscalls syscalls) {
        this(syscalls, List.of());
    }

    /** @param fallbacks where a temporary folder is made when this account may not write where it was asked for */
    public NativeHostFiles(LinuxSyscalls syscalls, List<AbsolutePath> fallbacks) {
        this(syscalls, List.copyOf(fallbacks), new HostDirectories(syscalls), Optional.empty());
    }

    private NativeHostFiles(
            LinuxSyscalls syscalls,
            List<AbsolutePath> fallbacks,
            HostDirectories directories,
            Optional<Identity> owner) {
        this.syscalls = syscalls;
        this.fallbacks = fallbacks;
        this.directories = directories;
        this.owner = owner;
    }

    @Override
    public HostFiles ownedBy(Identity other) {
        return new NativeHostFiles(syscalls, fallbacks, directories.ownedBy(other), Optional.of(other));
    }

    @Override
    public void createDirectory(AbsolutePath directory) {
        try {
            directories.create(directory);
        } catch (UnsafePathException e) {
            throw new PolicyInvalidException(
                    "", "\"" + directory + "\" is in the way: a symbolic link or no directory", "remove it");
        } catch (SyscallException e) {
            throw new PolicyInvalidException(
                    "",
                    "\"" + directory + "\" cannot be created: " + Errno.describe(e.errno()),
                    "create it, or grant another folder");
        }
    }

    @Override
    public Optional<String> obstacle(AbsolutePath directory) {
        return new FolderObstacle(syscalls, owner).find(directory);
    }

    @Override
    public void createOwn(AbsolutePath directory) {
        if (new HostFileSystemView(syscalls).kind(directory) != EntryKind.MISSING) {
            createDirectory(directory); // refuses what is no folder
            return;
        }
        createDirectory(directory);
        try {
            new OwnFolder(syscalls, directories, owner).mark(directory);
        } catch (UnsafePathException | SyscallException e) {
            throw unwritable(directory.resolve(OwnFolder.MARK), e);
        }
    }

    @Override
    public Removal removeOwn(AbsolutePath directory) {
        return new OwnFolder(syscalls, directories, owner).remove(directory);
    }

    @Override
    public void writeIfMissing(AbsolutePath directory, String name, String content) {
        try {
            HostDirectories.Written unused =
                    directories.writeIfMissing(directory, name, content.getBytes(StandardCharsets.UTF_8));
        } catch (UnsafePathException | SyscallException e) {
            throw unwritable(directory.resolve(name), e);
        }
    }

    /** A step that still runs has taken the folder away or put something else there. */
    private static PolicyInvalidException unwritable(AbsolutePath file, RuntimeException e) {
        return new PolicyInvalidException(
                "", "\"" + file + "\" cannot be written: " + e.getMessage(), "look at that folder");
    }

    @Override
    public AbsolutePath createTemporary(AbsolutePath parent) {
        try {
            return createIn(parent);
        } catch (SyscallException refused) {
            for (AbsolutePath fallback : fallbacks) {
                try {
                    return createIn(fallback);
                } catch (SyscallException refusedToo) {
                    refused.addSuppressed(refusedToo);
                }
            }
            throw new SandboxUnavailableException(
                    "TMPDIR",
                    "no temporary folder can be made: " + refused.getMessage(),
                    "let TMPDIR name a folder that this account may write",
                    refused);
        }
    }

    @Override
    public AbsolutePath createHidden() {
        try {
            return createIn(AbsolutePath.of(control.folder().toString()));
        } catch (SandboxUnavailableException | SyscallException noFolder) {
            return createTemporary(TMP);
        }
    }

    /** The parent may be reached through a link, as /tmp is on some systems; what is made has its real name. */
    private AbsolutePath createIn(AbsolutePath written) {
        AbsolutePath parent =
                PathResolution.follow(written, new HostFileSystemView(syscalls)).path();
        while (true) {
            AbsolutePath made = parent.resolve("sbx-" + RandomName.of(NAME_BYTES));
            try (NativeArena arena = new NativeArena()) {
                int result = syscalls.raw().mkdirat(0, arena.string(made.toString()), HostDirectories.PRIVATE);
                if (result != -Errno.EEXIST.number()) {
                    LinuxSyscalls.check(result, "mkdirat", made.toString());
                    giveAway(made);
                    return made;
                }
            }
        }
    }

    private void giveAway(AbsolutePath made) {
        owner.ifPresent(other -> {
            try (FileDescriptor folder = syscalls.openCanonical(made.toString())) {
                directories.give(folder, other, made);
            }
        });
    }

    @Override
    public void removeTree(AbsolutePath directory) {
        try {
            new TreeRemoval(syscalls).remove(directory);
        } catch (SyscallException e) {
            throw new UncheckedIOException(new IOException("cannot remove " + directory + ": " + e.getMessage(), e));
        }
    }
}
