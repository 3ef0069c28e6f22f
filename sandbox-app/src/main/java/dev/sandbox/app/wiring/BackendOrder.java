package dev.sandbox.app.wiring;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.problem.PolicyInvalidException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The order of {@code auto}, as one text: {@code mountns,landlock,docker}. */
final class BackendOrder {
    static final String VARIABLE = "SANDBOX_BACKENDS";

    /** What holds most first, since it costs about the same; a container only where nothing else can. */
    private static final List<BackendName> STANDARD =
            List.of(BackendName.MOUNTNS, BackendName.LANDLOCK, BackendName.DOCKER);

    private BackendOrder() {}

    /** An empty text is the standard order. */
    static List<BackendName> parse(String text) {
        if (text.isBlank()) {
            return STANDARD;
        }
        List<BackendName> order = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            Optional<BackendName> name = Arrays.stream(BackendName.values())
                    .filter(backend -> backend.id().equals(word.strip()))
                    .findFirst();
            if (name.isEmpty() || order.contains(name.get())) {
                throw new PolicyInvalidException(
                        VARIABLE,
                        "\"" + text + "\" is no order of backends",
                        "name each of mountns, landlock, docker at most once, with commas between them");
            }
            order.add(name.get());
        }
        return Collections.unmodifiableList(order);
    }
}
