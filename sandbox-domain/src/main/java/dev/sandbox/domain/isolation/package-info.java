/** The port behind which the backends stand. */
@NullMarked
package dev.sandbox.domain.isolation;

import org.jspecify.annotations.NullMarked;
