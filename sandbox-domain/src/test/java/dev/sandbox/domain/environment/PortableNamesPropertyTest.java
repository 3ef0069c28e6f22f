package dev.sandbox.domain.environment;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

final class PortableNamesPropertyTest {
    private static final String BY_PATTERN = "[A-Za-z_][A-Za-z0-9_]*|(?i:npm_config_)[^=\\x00]*";

    @Property(tries = 2000)
    void portableNamesAreThoseOfThePattern(@ForAll("names") String name) {
        boolean portable = EnvironmentNames.isPortable(name);

        Statistics.label("portable").collect(portable).coverage(coverage -> {
            coverage.check(true).percentage(p -> p > 10);
            coverage.check(false).percentage(p -> p > 10);
        });
        assertThat(portable).isEqualTo(name.matches(BY_PATTERN));
    }

    @Provide
    Arbitrary<String> names() {
        Arbitrary<String> rest = Arbitraries.strings()
                .withChars("aZ09_=\0\n%./:-é\u0130\u0131\u017f\u212a")
                .ofMaxLength(4);
        Arbitrary<String> begin = Arbitraries.of(
                "",
                "A",
                "_",
                "9",
                "npm_config_",
                "NPM_CONFIG_",
                "Npm_Config_",
                "npm_conf\u0130g_",
                "npm_conf\u0131g_",
                "npm_config");
        return Combinators.combine(begin, rest).as(String::concat);
    }
}
