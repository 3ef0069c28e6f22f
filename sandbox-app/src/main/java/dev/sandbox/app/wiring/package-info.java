/** Guice: the one place that knows every backend. */
@NullMarked
package dev.sandbox.app.wiring;

import org.jspecify.annotations.NullMarked;
