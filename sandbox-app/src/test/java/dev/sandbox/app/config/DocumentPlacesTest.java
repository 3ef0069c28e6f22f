package dev.sandbox.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DocumentPlacesTest {
    @TempDir
    private Path folder;

    private DocumentPlaces places(String name, String text) throws IOException {
        return PolicyFile.places(Files.writeString(folder.resolve(name), text));
    }

    @Test
    void entriesOfYamlHaveTheirLineAndColumn() throws IOException {
        DocumentPlaces places =
                places("p.yaml", "read_paths: [a,\n  b]\nlimits:\n  timeout: x\nenvironment: {set: {A: b}}\n");
        assertThat(places.of("read_paths")).contains("1:1");
        assertThat(places.of("read_paths[1]")).contains("2:3");
        assertThat(places.of("limits.timeout")).contains("4:3");
        assertThat(places.of("environment.set.A")).contains("5:21");
    }

    @Test
    void entriesOfJsonHaveThem() throws IOException {
        assertThat(places("p.json", "{\n \"limits\": {\"timeout\": 1}}").of("limits.timeout"))
                .contains("2:13");
    }

    @Test
    void whatIsMissingStandsWhereItBelongs() throws IOException {
        DocumentPlaces places = places("p.yaml", "limits: {timeout: 1s}\n");
        assertThat(places.of("limits.memory")).contains("1:1");
        assertThat(places.of("limits.memory.x[3]")).contains("1:1");
        assertThat(places.of("network")).isEmpty();
        assertThat(places.of("")).isEmpty();
    }

    @Test
    void whatIsNoDocumentHasNone() throws IOException {
        assertThat(places("p.yaml", "a: [b\n").of("a")).isEmpty();
    }
}
