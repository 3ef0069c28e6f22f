/** Tests of the whole. */
@NullMarked
package dev.sandbox.app;

import org.jspecify.annotations.NullMarked;
