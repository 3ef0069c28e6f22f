package dev.sandbox.testkit;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.verdict.Operation;

/** What a plan gives, by the rules of the mechanism that carries it out and nothing else: a model of the kernel, written apart. */
@FunctionalInterface
public interface PlanView {
    /**
     * True when a step under this plan can do it.
     *
     * @param path canonical, and there; for {@code CREATE} missing, in a directory that is there
     */
    boolean allows(AbsolutePath path, Operation operation);
}
