/** Tests of the docker backend. */
@NullMarked
package dev.sandbox.docker;

import org.jspecify.annotations.NullMarked;
