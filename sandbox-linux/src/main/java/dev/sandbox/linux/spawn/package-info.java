/**
 * How every native step is started: a program of system calls, a value that prints and compares, which a few hundred bytes of machine
 * code carry out in a child that shares the JVM's memory. Start reading at {@link dev.sandbox.linux.spawn.SyscallProgram}.
 */
@NullMarked
package dev.sandbox.linux.spawn;

import org.jspecify.annotations.NullMarked;
