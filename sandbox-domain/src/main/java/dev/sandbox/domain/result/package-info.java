/** What came of a run. */
@NullMarked
package dev.sandbox.domain.result;

import org.jspecify.annotations.NullMarked;
