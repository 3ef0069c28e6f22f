/** The Model Context Protocol, on standard streams and over HTTP. */
@NullMarked
package dev.sandbox.app.mcp;

import org.jspecify.annotations.NullMarked;
