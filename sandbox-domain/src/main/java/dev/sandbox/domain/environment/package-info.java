/** The child's environment, derived from the host's and the policy. */
@NullMarked
package dev.sandbox.domain.environment;

import org.jspecify.annotations.NullMarked;
