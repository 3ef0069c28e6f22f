package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

final class LibCTest {
    @Test
    void noFunctionHasSixArgumentsWhichTheStubOfJnrGetsWrong() {
        assertThat(LibC.class.getMethods())
                .extracting(Method::getParameterCount)
                .doesNotContain(6);
    }
}
