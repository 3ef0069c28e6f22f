package dev.sandbox.domain.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class RedirectionsTest {
    private static final AbsolutePath BASE = AbsolutePath.of("/w");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([A-Za-z_]+)` \\| `([^`]+)`[^|]*\\| .*\\]\\(https://.* \\|$");

    private static Map<String, String> documented() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        for (MatchResult row : ROW.matcher(Files.readString(Path.of("../docs/redirections.md")))
                .results()
                .toList()) {
            rows.put(row.group(1), "/w/" + row.group(2));
        }
        return rows;
    }

    @Test
    void theDocumentNamesEachVariableItsFolderAndItsSource() throws IOException {
        Map<String, String> set = new LinkedHashMap<>(Redirections.below(BASE));
        set.replace("JULIA_DEPOT_PATH", "/w/.local/julia");
        assertThat(documented()).containsExactlyInAnyOrderEntriesOf(set);
    }

    @Test
    void everyFolderLiesBelowWhatTheSandboxMakes() {
        Set<String> places = new HashSet<>(Redirections.below(BASE).values());
        assertThat(places).allMatch(place -> place.matches("/w/\\.(cache|local)(/.*)?"));
    }

    @Test
    void npmIsToldNothingThatItDoesNotKnow() {
        assertThat(Redirections.below(BASE).keySet())
                .filteredOn(name -> name.startsWith("npm_config_"))
                .containsExactlyInAnyOrder("npm_config_cache", "npm_config_prefix");
    }
}
