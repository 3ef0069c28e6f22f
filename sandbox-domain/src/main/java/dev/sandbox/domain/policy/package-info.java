/** The policy as the user wrote it. */
@NullMarked
package dev.sandbox.domain.policy;

import org.jspecify.annotations.NullMarked;
