package dev.sandbox.domain.isolation;

import java.util.List;
import java.util.Map;

/** What a backend would do, as a value that prints and compares. Made without privilege and without effect. */
public interface IsolationPlan {
    /** For people, one line each. */
    List<String> lines();

    /** For machines: strings, numbers, booleans, lists and maps, in a fixed order. */
    Map<String, Object> document();
}
