package dev.sandbox.domain.isolation;

import dev.sandbox.domain.environment.EnvironmentPlan;
import dev.sandbox.domain.resolve.ResolvedPolicy;

/**
 * What a backend plans and enforces for one command or many.
 *
 * @param policy canonical rules and settings
 * @param environment the child's variables; its folders already exist when a session is opened
 */
public record SessionRequest(ResolvedPolicy policy, EnvironmentPlan environment) {}
