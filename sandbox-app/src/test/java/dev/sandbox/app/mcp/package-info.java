/** Tests. */
@NullMarked
package dev.sandbox.app.mcp;

import org.jspecify.annotations.NullMarked;
