package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells which of a person's trusted files changed while a step ran, whoever changed them. Folders are looked into, 200 entries of each
 * at most; links are not followed. Thread-safe.
 */
public final class TrustWatch {
    /** How each note begins. */
    public static final String CHANGED = "changed by the step: ";

    private static final int MOST_ENTRIES = 200;
    private static final int MOST_NOTES = 20;

    private final FileSystemView files;
    private final Collection<AbsolutePath> watched;
    private NavigableMap<AbsolutePath, String> before;

    /** Watches from now on. */
    public TrustWatch(FileSystemView files, ResolvedPolicy policy) {
        this.files = files;
        this.watched = policy.watched();
        this.before = look();
    }

    /** What changed since the last time that this was asked, or since the beginning; for people, one line each. */
    public synchronized List<String> changes() {
        if (watched.isEmpty()) {
            return List.of();
        }
        NavigableMap<AbsolutePath, String> now = look();
        TreeSet<AbsolutePath> changed = new TreeSet<>(now.keySet());
        changed.addAll(before.keySet());
        NavigableMap<AbsolutePath, String> then = before;
        changed.removeIf(path -> Objects.equals(then.get(path), now.get(path)));
        before = now;
        // A folder changes when an entry comes or goes, which is told by itself; of a new folder its entries are not.
        List<AbsolutePath> told = changed.stream()
                .filter(path -> path.ancestors().stream()
                        .noneMatch(folder -> changed.contains(folder) && !then.containsKey(folder)))
                .filter(path -> !then.containsKey(path) || !isAbove(path, changed.higher(path)))
                .toList();
        return notes(told, now);
    }

    private static boolean isAbove(AbsolutePath path, @Nullable AbsolutePath next) {
        return next != null && path.strictlyContains(next);
    }

    private static List<String> notes(List<AbsolutePath> changed, Map<AbsolutePath, String> now) {
        List<String> notes = new ArrayList<>();
        for (AbsolutePath path : changed.subList(0, Math.min(changed.size(), MOST_NOTES))) {
            String how = now.containsKey(path) ? ": look at it before you use this folder" : " was removed";
            notes.add(CHANGED + path + how);
        }
        if (changed.size() > MOST_NOTES) {
            notes.add(CHANGED + (changed.size() - MOST_NOTES) + " more files of this kind");
        }
        return notes;
    }

    private NavigableMap<AbsolutePath, String> look() {
        TreeMap<AbsolutePath, String> seen = new TreeMap<>();
        for (AbsolutePath path : watched) {
            look(path, seen, seen.size() + MOST_ENTRIES);
        }
        return seen;
    }

    private void look(AbsolutePath path, Map<AbsolutePath, String> seen, int most) {
        if (seen.size() >= most) {
            return;
        }
        files.details().fingerprint(path).ifPresent(print -> {
            seen.put(path, print);
            if (files.kind(path) == EntryKind.DIRECTORY) {
                files.details().names(path, MOST_ENTRIES).forEach(name -> look(path.resolve(name), seen, most));
            }
        });
    }
}
