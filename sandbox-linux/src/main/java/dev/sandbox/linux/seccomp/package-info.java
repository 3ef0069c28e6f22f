/** Classic BPF programs for seccomp(2), assembled in Java, and the step that installs one on a thread. */
@NullMarked
package dev.sandbox.linux.seccomp;

import org.jspecify.annotations.NullMarked;
