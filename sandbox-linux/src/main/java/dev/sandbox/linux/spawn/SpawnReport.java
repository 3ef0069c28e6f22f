package dev.sandbox.linux.spawn;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What came of a clone and its programs. Holds native memory: close it. One thread at a time. */
public final class SpawnReport implements AutoCloseable {
    /**
     * The entry that stopped everything.
     *
     * @param entry which
     * @param errno why
     */
    public record Failure(Entry entry, int errno) {}

    private final @Nullable ProgramImage image;
    private final Optional<Failure> failure;

    private SpawnReport(@Nullable ProgramImage image, Optional<Failure> failure) {
        this.image = image;
        this.failure = failure;
    }

    static SpawnReport failed(Entry entry, int errno) {
        return new SpawnReport(null, Optional.of(new Failure(entry, errno)));
    }

    static SpawnReport of(ProgramImage image, long result) {
        if (result < 0) {
            return new SpawnReport(image, Optional.of(new Failure(image.outermost(), (int) -result)));
        }
        // A child's failure stops its parent too: the innermost says why.
        Optional<Failure> failure = Optional.empty();
        for (Entry.Clone clone : image.clones()) {
            Optional<Failure> outer = failure;
            failure = failure(image, clone).or(() -> outer);
        }
        return new SpawnReport(image, failure);
    }

    /**
     * What stopped a child. One that was born, and neither failed nor came to its end nor executes anything, was killed there by somebody
     * else; so was the parent of one that goes on.
     */
    private static Optional<Failure> failure(ProgramImage image, Entry.Clone clone) {
        OptionalInt at = image.at(clone.program());
        if (image.pid(clone) == 0 || at.isEmpty()) {
            return Optional.empty();
        }
        Entry entry = clone.program().entries().get(at.getAsInt());
        int errno = image.errno(clone.program());
        if (errno == 0 && SpawnTask.executes(entry)) {
            return Optional.empty();
        }
        return Optional.of(new Failure(entry, errno == 0 ? Layout.ECANCELED : errno));
    }

    /** Where the innermost child stands that has been born. */
    static String standing(ProgramImage image) {
        String where = "";
        for (Entry.Clone clone : image.clones()) {
            OptionalInt at = image.at(clone.program());
            if (image.pid(clone) != 0 && at.isPresent()) {
                where = clone.program().entries().get(at.getAsInt()).name();
            }
        }
        return where;
    }

    /** Absent when every program came to its end or became another. */
    public Optional<Failure> failure() {
        return failure;
    }

    /** What a slot holds; 0 when its entry was not reached. */
    public long value(Slot slot) {
        return image == null ? 0 : image.value(slot);
    }

    /** A child's number, as this process sees it. */
    public int pid(Entry.Clone clone) {
        return memory().pid(clone);
    }

    private ProgramImage memory() {
        if (image == null) {
            throw new IllegalStateException("nothing was spawned");
        }
        return image;
    }

    @Override
    public void close() {
        if (image != null) {
            image.close();
        }
    }
}
