/** Landlock: a pure planner and a thin enforcer on the throw-away thread that spawns. */
@NullMarked
package dev.sandbox.landlock;

import org.jspecify.annotations.NullMarked;
