/** {@code sandbox serve}: the HTTP interface. */
@NullMarked
package dev.sandbox.app.http;

import org.jspecify.annotations.NullMarked;
