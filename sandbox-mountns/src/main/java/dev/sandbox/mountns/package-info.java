/** Enforces a policy by mount, PID, IPC and network namespaces: a pure planner, and two enforcers of its plan. */
@NullMarked
package dev.sandbox.mountns;

import org.jspecify.annotations.NullMarked;
