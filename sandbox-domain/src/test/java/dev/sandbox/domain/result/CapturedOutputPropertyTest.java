package dev.sandbox.domain.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CapturedOutputPropertyTest {
    private static CapturedOutput captured(long limit, byte[]... chunks) {
        CapturedOutput output = new CapturedOutput(limit);
        for (byte[] chunk : chunks) {
            byte[] padded = new byte[chunk.length + 7];
            System.arraycopy(chunk, 0, padded, 3, chunk.length);
            output.accept(padded, 3, chunk.length);
            Arrays.fill(padded, (byte) '!'); // the pump uses its buffer again
        }
        return output;
    }

    @Property
    void itKeepsTheHeadAndTheTailAsANaiveModelDoes(
            @ForAll @IntRange(max = 40) int limit, @ForAll @Size(max = 8) List<@Size(max = 30) byte[]> chunks) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        chunks.forEach(all::writeBytes);
        byte[] whole = all.toByteArray();
        CapturedOutput output = captured(limit, chunks.toArray(byte[][]::new));
        if (whole.length <= limit) {
            assertThat(output.bytes()).isEqualTo(whole);
            assertThat(output.isTruncated()).isFalse();
            assertThat(output.text()).isEqualTo(new String(whole, StandardCharsets.UTF_8));
        } else {
            int tail = limit / 2;
            int head = limit - tail;
            byte[] expected = Arrays.copyOf(whole, limit);
            System.arraycopy(whole, whole.length - tail, expected, head, tail);
            assertThat(output.bytes()).isEqualTo(expected);
            assertThat(output.isTruncated()).isTrue();
            assertThat(output.text()).contains("[... " + (whole.length - limit) + " bytes left out ...]");
        }
    }

    @Example
    void moreThanTheFirstBufferIsKeptWhole() {
        byte[] big = "0123456789".repeat(5_000).getBytes(StandardCharsets.UTF_8);
        assertThat(captured(200_000, big, big).bytes()).hasSize(100_000);
        assertThat(captured(60_000, big, big).bytes()).hasSize(60_000);
    }

    @Example
    void aCharacterCutByAChunkBorderOrBetweenHeadAndTailIsWhole() {
        byte[] euro = "€".getBytes(StandardCharsets.UTF_8);
        assertThat(captured(3, Arrays.copyOf(euro, 1), Arrays.copyOfRange(euro, 1, 3))
                        .text())
                .isEqualTo("€");
    }

    @Example
    void whatIsNoUtf8IsReplaced() {
        assertThat(captured(10, new byte[] {'a', (byte) 0xff, 'b'}).text()).isEqualTo("a\uFFFDb");
    }

    @Example
    void aNegativeLimitKeepsNothing() {
        CapturedOutput output = captured(-1, new byte[] {'a'});
        assertThat(output.bytes()).isEmpty();
        assertThat(output.isTruncated()).isTrue();
    }
}
