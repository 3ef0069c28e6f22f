/** Measurements. Speed is told here and asserted nowhere. */
@NullMarked
package dev.sandbox.bench;

import org.jspecify.annotations.NullMarked;
