package dev.sandbox.domain.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.OutputSink.Demand;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Over an alphabet of two letters and a sign of two bytes, where values overlap with themselves and each other. */
class OutputMaskPropertyTest {
    private static final List<String> SIGNS = List.of("a", "b", "\u00e4");

    @Provide
    Arbitrary<String> outputs() {
        return Arbitraries.of(SIGNS).list().ofMaxSize(60).map(signs -> String.join("", signs));
    }

    @Provide
    Arbitrary<String> values() {
        return Arbitraries.of(SIGNS).list().ofMinSize(2).ofMaxSize(6).map(signs -> String.join("", signs));
    }

    private static String masked(OutputMask mask, String output, List<Integer> sizes) {
        CapturedOutput shown = new CapturedOutput(1 << 20);
        MaskedOutput stream = mask.over(shown);
        byte[] bytes = output.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        for (int i = 0; at < bytes.length; i++) {
            int size = Math.min(sizes.get(i % sizes.size()), bytes.length - at);
            // As a pump would: its buffer is used again.
            byte[] buffer = new byte[size + 2];
            System.arraycopy(bytes, at, buffer, 1, size);
            assertThat(stream.accept(buffer, 1, size)).isEqualTo(Demand.MORE);
            Arrays.fill(buffer, (byte) '!');
            at += size;
        }
        stream.finish();
        return shown.text();
    }

    @Property
    void noValueIsSeenHoweverTheStreamIsCut(
            @ForAll("outputs") String output,
            @ForAll @Size(min = 1, max = 3) List<@From("values") String> values,
            @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 1, max = 9) Integer> sizes) {
        OutputMask mask = OutputMask.of(values);

        String shown = masked(mask, output, sizes);

        values.forEach(value -> assertThat(shown).doesNotContain(value));
        assertThat(shown).isEqualTo(masked(mask, output, List.of(Integer.MAX_VALUE)));
        assertThat(mask.text(output)).isEqualTo(shown);
        if (values.stream().noneMatch(output::contains)) {
            assertThat(shown).isEqualTo(output);
        }
    }

    @Property
    void whatIsAroundAValueStaysAsItIs(
            @ForAll("values") String value,
            @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 1, max = 9) Integer> sizes) {
        String output = "before " + value + " between " + value + value + " after";

        assertThat(masked(OutputMask.of(List.of(value)), output, sizes)).isEqualTo("before *** between *** after");
    }

    @Example
    void onlyWhatMayBecomeAValueIsHeldBack() {
        List<String> seen = new ArrayList<>();
        MaskedOutput stream = OutputMask.of(List.of("secret")).over((buffer, offset, length) -> {
            seen.add(new String(buffer, offset, length, StandardCharsets.UTF_8));
            return Demand.MORE;
        });

        for (String chunk : List.of("name? ", "a sec", "ond se", "cret", "\n", "sec")) {
            stream.accept(chunk.getBytes(StandardCharsets.UTF_8), 0, chunk.length());
        }
        assertThat(seen).containsExactly("name? ", "a ", "second ", "***", "\n");
        stream.finish();
        assertThat(seen).endsWith("sec");
    }

    /** With values that overlap themselves at every byte, and output that nearly is one: once a matter of minutes. */
    @Example
    void theWorkDoesNotGrowWithTheLengthOfValues() {
        String value = "a".repeat(100_000);
        OutputMask mask = OutputMask.of(List.of(value, value + "b", "a".repeat(50_000) + "c"));
        String output = "a".repeat(99_999) + "\n" + "a".repeat(3_000_000) + "c\n";

        assertThat(masked(mask, output, List.of(65_536))).isEqualTo("a".repeat(99_999) + "\n***\n");
    }

    @Example
    void aMaskTellsNothingOfItsValues() {
        assertThat(OutputMask.of(List.of("hunter2")).toString()).doesNotContain("hunter2");
    }
}
