/** What a spawn of a step needs beside the step: the init of its PID namespace. */
@NullMarked
package dev.sandbox.linux.spawn;

import org.jspecify.annotations.NullMarked;
