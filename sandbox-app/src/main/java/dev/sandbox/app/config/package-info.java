/** Policies and results as YAML and JSON. */
@NullMarked
package dev.sandbox.app.config;

import org.jspecify.annotations.NullMarked;
