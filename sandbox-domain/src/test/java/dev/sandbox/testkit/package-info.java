/** Fakes and arbitraries for tests of every module; shipped as the test-jar. */
@NullMarked
package dev.sandbox.testkit;

import org.jspecify.annotations.NullMarked;
