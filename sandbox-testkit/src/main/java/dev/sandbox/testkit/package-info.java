/**
 * For tests of a program that embeds the sandbox, and of a backend: IsolationBackendContract is what every
 * backend must pass, the arbitraries make policies and trees for properties, and the fakes stand in for the ports of the domain.
 */
@NullMarked
package dev.sandbox.testkit;

import org.jspecify.annotations.NullMarked;
