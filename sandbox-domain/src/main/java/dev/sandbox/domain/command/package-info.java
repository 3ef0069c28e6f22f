/** What to run. */
@NullMarked
package dev.sandbox.domain.command;

import org.jspecify.annotations.NullMarked;
