/** What Landlock knows: rights, scopes, ABIs and struct layouts, for every backend that builds a ruleset. No enforcement. */
@NullMarked
package dev.sandbox.linux.landlock;

import org.jspecify.annotations.NullMarked;
