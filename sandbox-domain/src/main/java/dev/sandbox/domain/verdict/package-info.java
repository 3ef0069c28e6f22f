/** May this path be read or written, and by which rule. */
@NullMarked
package dev.sandbox.domain.verdict;

import org.jspecify.annotations.NullMarked;
