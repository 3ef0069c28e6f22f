package dev.sandbox.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.PolicyInvalidException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallersPathsTest {
    private static final CallersPaths PATHS =
            CallersPaths.of(Map.of("HOME", "/home/me", "ODD", "a$1\\b${HOME}", "EMPTY", ""));

    @ParameterizedTest
    @CsvSource({
        "~, /home/me",
        "~/x, /home/me/x",
        "${HOME}/x, /home/me/x",
        "/a/${HOME}, /a//home/me",
        "~/${HOME}~, /home/me//home/me~",
        "~you, ~you",
        "a/~, a/~",
        "./~, ./~",
        "$HOME, $HOME",
        "${ODD}, a$1\\b${HOME}",
    })
    void tildeAndVariablesAreTheCallers(String written, String expected) {
        assertThat(PATHS.expand(written)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"${NONE}", "a/${NONE}/b", "${}", "${EMPTY}", "${home}"})
    void anUnsetNameIsRefused(String written) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PATHS.expand(written))
                .withMessageContaining("not set");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallersPaths.of(Map.of()).expand("~"));
    }

    @Test
    void aCallersDocumentIsExpandedAndARequestIsNot() throws JsonProcessingException {
        String text = "{\"base_dir\":\"${HOME}/p\",\"read_paths\":[\"~/r\"],\"blocked_paths\":[\"${HOME}/b\"]}";
        AbsolutePath base = AbsolutePath.of("/base");
        SandboxPolicy own = PolicyParser.parse(new ObjectMapper().readTree(text), base, PATHS);
        assertThat(own.baseDir()).hasToString("/home/me/p");
        assertThat(own.readPaths()).containsExactly("/home/me/r");
        assertThat(own.blockedPaths()).containsExactly("/home/me/b");
        SandboxPolicy request =
                PolicyParser.parse(new ObjectMapper().readTree("{\"read_paths\":[\"~/r\",\"${HOME}\"]}"), base);
        assertThat(request.readPaths()).containsExactly("~/r", "${HOME}");
        assertThatThrownBy(() -> PolicyParser.parse(
                        new ObjectMapper().readTree("{\"read_paths\":[\"a\",\"${NONE}\"]}"), base, PATHS))
                .isInstanceOf(PolicyInvalidException.class)
                .hasMessageContaining("read_paths[1]")
                .hasMessageContaining("NONE, which is not set");
    }
}
