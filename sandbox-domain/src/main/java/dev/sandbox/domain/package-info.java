/** The pure heart: values and rules. Start reading at {@link dev.sandbox.domain.Sandbox}. */
@NullMarked
package dev.sandbox.domain;

import org.jspecify.annotations.NullMarked;
