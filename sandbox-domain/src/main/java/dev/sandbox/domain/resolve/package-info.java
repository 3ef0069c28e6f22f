/** From the policy as written to canonical paths with their kinds. */
@NullMarked
package dev.sandbox.domain.resolve;

import org.jspecify.annotations.NullMarked;
