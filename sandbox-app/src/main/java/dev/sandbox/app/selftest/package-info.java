/** Escape attempts as small probes, and what came of them on this host: {@code sandbox selftest}. */
@NullMarked
package dev.sandbox.app.selftest;

import org.jspecify.annotations.NullMarked;
