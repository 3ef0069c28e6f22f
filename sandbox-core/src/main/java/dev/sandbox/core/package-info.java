/** Puts a sandbox together without a server: by hand ({@link dev.sandbox.core.Sandboxes}) or by Guice. The place that knows the backends. */
@NullMarked
package dev.sandbox.core;

import org.jspecify.annotations.NullMarked;
