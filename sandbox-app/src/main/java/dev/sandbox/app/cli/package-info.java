/** The command line. */
@NullMarked
package dev.sandbox.app.cli;

import org.jspecify.annotations.NullMarked;
