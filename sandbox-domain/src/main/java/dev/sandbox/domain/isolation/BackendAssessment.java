package dev.sandbox.domain.isolation;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a backend can do on this host, proved by a real child.
 *
 * @param backend which one
 * @param detail capabilities for people, for example {@code filesystem ABI 7; preflight passed}; never a path or a secret
 * @param promises one for each guarantee that it knows of; a guarantee not named here is missing
 */
public record BackendAssessment(BackendName backend, String detail, Map<Guarantee, Promise> promises) {
    private static final Promise UNKNOWN = Promise.missing("this backend does not offer it", "");

    public BackendAssessment {
        promises = Collections.unmodifiableMap(new TreeMap<>(promises));
    }

    /** A backend that cannot be used at all. */
    public static BackendAssessment unusable(BackendName backend, String reason, String remedy) {
        Map<Guarantee, Promise> promises = new TreeMap<>();
        for (Guarantee guarantee : Guarantee.values()) {
            promises.put(guarantee, Promise.missing(reason, remedy));
        }
        return new BackendAssessment(backend, reason, promises);
    }

    /** What it says of one guarantee. */
    public Promise promise(Guarantee guarantee) {
        return promises.getOrDefault(guarantee, UNKNOWN);
    }

    /** Those of the needed guarantees that it cannot hold. */
    public List<Guarantee> missing(Set<Guarantee> needed) {
        List<Guarantee> missing = new ArrayList<>();
        for (Guarantee guarantee : needed) {
            if (!promise(guarantee).isAvailable()) {
                missing.add(guarantee);
            }
        }
        return missing;
    }

    /** True when a step sees only what is granted: a /tmp of its own means a view of the file system of its own. */
    public boolean hidesWhatIsNotGranted() {
        return promise(Guarantee.TMP_PRIVATE).isHeld();
    }

    /** All guarantees that it holds for every policy. */
    public List<Guarantee> held() {
        return held(Set.of());
    }

    /** All guarantees that it holds for a policy that needs these. */
    public List<Guarantee> held(Set<Guarantee> needed) {
        return promises.entrySet().stream()
                .filter(entry -> entry.getValue().isHeld()
                        || (entry.getValue().isAvailable() && needed.contains(entry.getKey())))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** True when it can enforce at least the default policy. */
    public boolean isUsable() {
        return promise(Guarantee.FS_READ).isHeld()
                && promise(Guarantee.FS_WRITE).isHeld();
    }
}
