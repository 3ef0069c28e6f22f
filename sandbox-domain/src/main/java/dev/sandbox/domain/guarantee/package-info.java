/** What a policy asks for and a backend can promise. */
@NullMarked
package dev.sandbox.domain.guarantee;

import org.jspecify.annotations.NullMarked;
