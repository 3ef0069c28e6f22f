/** The one place that touches libc: a spawn on a confined thread, pipes, signals, file descriptors. */
@NullMarked
package dev.sandbox.linux;

import org.jspecify.annotations.NullMarked;
