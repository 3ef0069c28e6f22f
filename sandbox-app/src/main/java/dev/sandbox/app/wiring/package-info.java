/** The one package of the app that names an adapter: what the command line asks of a container engine. */
@NullMarked
package dev.sandbox.app.wiring;

import org.jspecify.annotations.NullMarked;
