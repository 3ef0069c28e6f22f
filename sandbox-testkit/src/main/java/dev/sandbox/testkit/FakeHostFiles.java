package dev.sandbox.testkit;

import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.Identity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes folders in a {@link FakeFileSystem} and remembers what it did. Temporary folders are {@code sandbox-1} and so on. */
public final class FakeHostFiles implements HostFiles {
    private final FakeFileSystem files;
    private final List<AbsolutePath> created = new ArrayList<>();
    private final Map<AbsolutePath, String> written = new LinkedHashMap<>();
    private final Map<AbsolutePath, String> obstacles = new LinkedHashMap<>();
    private final List<AbsolutePath> own = new ArrayList<>();
    private final List<AbsolutePath> temporary = new ArrayList<>();
    private final List<Identity> owners = new ArrayList<>();
    private final List<AbsolutePath> removed = new ArrayList<>();

    public FakeHostFiles(FakeFileSystem files) {
        this.files = files;
    }

    @Override
    public void createDirectory(AbsolutePath directory) {
        if (files.kind(directory) != EntryKind.DIRECTORY) {
            files.directory(directory.toString());
            created.add(directory);
        }
    }

    /** Lets something be in the way of a folder. */
    public FakeHostFiles obstruct(String folder, String what) {
        obstacles.put(AbsolutePath.of(folder), what);
        return this;
    }

    @Override
    public Optional<String> obstacle(AbsolutePath directory) {
        return Optional.ofNullable(obstacles.get(directory)).map(what -> directory + " " + what);
    }

    @Override
    public void createOwn(AbsolutePath directory) {
        if (files.kind(directory) != EntryKind.DIRECTORY) {
            createDirectory(directory);
            own.add(directory);
            writeIfMissing(directory, ".gitignore", "*\n");
        }
    }

    @Override
    public Removal removeOwn(AbsolutePath directory) {
        if (files.kind(directory) == EntryKind.MISSING) {
            return Removal.MISSING;
        }
        if (!own.remove(directory)) {
            return Removal.NOT_OURS;
        }
        removeTree(directory);
        return Removal.REMOVED;
    }

    @Override
    public void writeIfMissing(AbsolutePath directory, String name, String content) {
        AbsolutePath file = directory.resolve(name);
        if (files.kind(file) == EntryKind.MISSING) {
            files.file(file.toString());
            written.put(file, content);
        }
    }

    @Override
    public AbsolutePath createTemporary(AbsolutePath parent) {
        AbsolutePath directory = parent.resolve("sandbox-" + (temporary.size() + 1));
        files.directory(directory.toString());
        temporary.add(directory);
        return directory;
    }

    @Override
    public AbsolutePath createHidden() {
        return createTemporary(AbsolutePath.of("/run"));
    }

    @Override
    public HostFiles ownedBy(Identity owner) {
        owners.add(owner);
        return this;
    }

    @Override
    public void removeTree(AbsolutePath directory) {
        files.remove(directory);
        removed.add(directory);
    }

    /** Folders that were missing and were made, in order. */
    public List<AbsolutePath> created() {
        return List.copyOf(created);
    }

    /** Files that were missing and were written. */
    public Map<AbsolutePath, String> written() {
        return Map.copyOf(written);
    }

    /** Whom it was asked to make something for. */
    public List<Identity> owners() {
        return List.copyOf(owners);
    }

    /** Temporary folders that were made. */
    public List<AbsolutePath> temporary() {
        return List.copyOf(temporary);
    }

    /** Trees that were removed. */
    public List<AbsolutePath> removed() {
        return List.copyOf(removed);
    }
}
