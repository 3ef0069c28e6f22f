package dev.sandbox.core;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.problem.PolicyInvalidException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** In which order {@code auto} tries the backends, as one text: {@code mountns,landlock,docker}. One that is not named is not used. */
final class BackendOrder {
    static final String VARIABLE = "SANDBOX_BACKENDS";

    /** What holds most first, since it costs about the same; a container only where nothing else can. */
    private static final List<BackendName> STANDARD =
            List.of(BackendName.MOUNTNS, BackendName.LANDLOCK, BackendName.DOCKER);

    private BackendOrder() {}

    /**
     * The installed backends, as a text orders them.
     *
     * @param text an empty one is the standard order, and those of other names behind it as they were installed
     * @throws PolicyInvalidException for a name twice, or one that is neither installed nor of this distribution
     */
    static List<IsolationBackend> apply(String text, List<IsolationBackend> installed) {
        return text.isBlank() ? standard(installed) : inOrder(parse(text, installed), installed);
    }

    private static List<IsolationBackend> standard(List<IsolationBackend> installed) {
        List<IsolationBackend> sorted = inOrder(STANDARD, installed);
        for (IsolationBackend backend : installed) {
            if (!STANDARD.contains(backend.name())) {
                sorted.add(backend);
            }
        }
        return sorted;
    }

    private static List<BackendName> parse(String text, List<IsolationBackend> installed) {
        List<BackendName> known = new ArrayList<>(STANDARD);
        for (IsolationBackend backend : installed) {
            if (!known.contains(backend.name())) {
                known.add(backend.name());
            }
        }
        List<BackendName> order = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            String id = word.strip();
            if (!BackendName.isName(id) || !known.contains(BackendName.of(id)) || order.contains(BackendName.of(id))) {
                throw new PolicyInvalidException(
                        VARIABLE,
                        "\"" + text + "\" is no order of backends",
                        "name each of " + ids(known) + " at most once, with commas between them");
            }
            order.add(BackendName.of(id));
        }
        return Collections.unmodifiableList(order);
    }

    private static List<IsolationBackend> inOrder(List<BackendName> order, List<IsolationBackend> installed) {
        List<IsolationBackend> sorted = new ArrayList<>();
        for (BackendName name : order) {
            for (IsolationBackend backend : installed) {
                if (backend.name().equals(name)) {
                    sorted.add(backend);
                }
            }
        }
        return sorted;
    }

    private static String ids(List<BackendName> names) {
        StringBuilder ids = new StringBuilder();
        for (BackendName name : names) {
            ids.append(ids.length() == 0 ? "" : ", ").append(name.id());
        }
        return ids.toString();
    }
}
