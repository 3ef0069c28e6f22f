package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileDetails;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.path.Ownership;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a {@link FakeFileSystem} tells of its files; the caller is root unless it is told otherwise. Mutable. */
public final class FakeDetails implements FileDetails {
    private final FakeFileSystem files;
    private final Map<AbsolutePath, Ownership> owners = new HashMap<>();
    private final Map<AbsolutePath, String> texts = new HashMap<>();
    private final Map<AbsolutePath, Integer> changes = new HashMap<>();
    private Identity caller = new Identity(0, 0);

    FakeDetails(FakeFileSystem files) {
        this.files = files;
    }

    /** As whom the caller acts. */
    public void caller(Identity identity) {
        caller = identity;
    }

    /** Who owns a path, with which mode; root's with 0755 unless told. */
    public void owner(String path, Identity owner, int mode) {
        owners.put(AbsolutePath.of(path), new Ownership(owner, mode));
    }

    /** What a file says. */
    public void text(String path, String text) {
        texts.put(AbsolutePath.of(path), text);
    }

    /** Makes the path's fingerprint another. */
    public void touch(String path) {
        changes.merge(AbsolutePath.of(path), 1, Integer::sum);
    }

    @Override
    public Optional<Identity> caller() {
        return Optional.of(caller);
    }

    @Override
    public Optional<Ownership> ownership(AbsolutePath path) {
        return stands(path)
                ? Optional.of(owners.getOrDefault(path, new Ownership(new Identity(0, 0), 0755)))
                : Optional.empty();
    }

    @Override
    public Optional<String> text(AbsolutePath file, int most) {
        return Optional.ofNullable(texts.get(file)).map(text -> text.substring(0, Math.min(most, text.length())));
    }

    @Override
    public List<String> names(AbsolutePath directory, int most) {
        return files.paths().stream()
                .filter(path -> path.parent().filter(directory::equals).isPresent())
                .map(AbsolutePath::name)
                .limit(most)
                .toList();
    }

    @Override
    public Optional<String> fingerprint(AbsolutePath path) {
        return stands(path) ? Optional.of(files.kind(path) + " " + changes.getOrDefault(path, 0)) : Optional.empty();
    }

    private boolean stands(AbsolutePath path) {
        EntryKind kind = files.kind(path);
        return kind != EntryKind.MISSING && kind != EntryKind.DENIED;
    }
}
