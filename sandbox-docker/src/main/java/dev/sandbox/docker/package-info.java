/** The docker backend: policy to container (pure), and its enforcement through an engine's API. */
@NullMarked
package dev.sandbox.docker;

import org.jspecify.annotations.NullMarked;
