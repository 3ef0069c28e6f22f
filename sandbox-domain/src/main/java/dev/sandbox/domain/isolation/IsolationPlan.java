package dev.sandbox.domain.isolation;

import java.util.List;
import java.util.Map;

/** What a backend would do, as a value that prints and compares. Made without privilege and without effect. */
public interface IsolationPlan {
    /** For people, one line each. */
    List<String> lines();

    /** The program of its system call filter, disassembled; none when this backend installs none itself. */
    default List<String> listing() {
        return List.of();
    }

    /** For machines: strings, numbers, booleans, lists and maps, in a fixed order. */
    Map<String, Object> document();
}
