/** Constants of the kernel's and libc's headers: one class per header, in header order, no logic. */
@NullMarked
package dev.sandbox.linux.uapi;

import org.jspecify.annotations.NullMarked;
