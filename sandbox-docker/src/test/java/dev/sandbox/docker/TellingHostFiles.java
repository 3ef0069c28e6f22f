package dev.sandbox.docker;

import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import java.util.Optional;

/**
 * The host's files, which tell before each folder that is made: a policy has been resolved by then.
 *
 * @param files who makes them
 * @param before told
 */
record TellingHostFiles(HostFiles files, Runnable before) implements HostFiles {
    @Override
    public void createDirectory(AbsolutePath directory) {
        before.run();
        files.createDirectory(directory);
    }

    @Override
    public Optional<String> obstacle(AbsolutePath directory) {
        return files.obstacle(directory);
    }

    @Override
    public void createOwn(AbsolutePath directory) {
        before.run();
        files.createOwn(directory);
    }

    @Override
    public Removal removeOwn(AbsolutePath directory) {
        return files.removeOwn(directory);
    }

    @Override
    public void writeIfMissing(AbsolutePath directory, String name, String content) {
        files.writeIfMissing(directory, name, content);
    }

    @Override
    public AbsolutePath createHidden() {
        return files.createHidden();
    }

    @Override
    public AbsolutePath createTemporary(AbsolutePath parent) {
        return files.createTemporary(parent);
    }

    @Override
    public HostFiles ownedBy(Identity owner) {
        return new TellingHostFiles(files.ownedBy(owner), before);
    }

    @Override
    public void removeTree(AbsolutePath directory) {
        files.removeTree(directory);
    }
}
