/** Absolute paths, compared by component. */
@NullMarked
package dev.sandbox.domain.path;

import org.jspecify.annotations.NullMarked;
