package dev.sandbox.domain.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class TextSinkPropertyTest {
    private static List<String> texts(byte[] bytes, int size) {
        List<String> texts = new ArrayList<>();
        TextSink sink = new TextSink(texts::add);
        for (int at = 0; at < bytes.length; at += size) {
            assertThat(sink.accept(bytes, at, Math.min(size, bytes.length - at)))
                    .isEqualTo(OutputSink.Demand.MORE);
        }
        sink.finish();
        return texts;
    }

    @Property
    void chunksOfAnySizeGiveTheText(@ForAll String text, @ForAll @IntRange(min = 1, max = 7) int size) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(String.join("", texts(bytes, size))).isEqualTo(new String(bytes, StandardCharsets.UTF_8));
    }

    @Property
    void bytesThatAreNoTextGiveTheSameReplacementsHoweverTheyAreCut(
            @ForAll byte[] bytes, @ForAll @IntRange(min = 1, max = 7) int size) {
        assertThat(String.join("", texts(bytes, size))).isEqualTo(new String(bytes, StandardCharsets.UTF_8));
    }

    @Example
    void aCharacterIsHandedOnWholeWithTheChunkThatEndsIt() {
        assertThat(texts("a\u20acb".getBytes(StandardCharsets.UTF_8), 3)).containsExactly("a", "\u20acb");
    }
}
