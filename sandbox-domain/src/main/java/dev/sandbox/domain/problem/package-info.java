/** What can be wrong, told once and in one line. */
@NullMarked
package dev.sandbox.domain.problem;

import org.jspecify.annotations.NullMarked;
