package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StepOutputTest {
    private static final int MEGABYTES = 8;
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);

    private final StepOutput output = new StepOutput();

    @Test
    void theReaderWaitsWhileNobodyTakes() throws Exception {
        Thread reader = new Thread(new FrameReader(new ByteArrayInputStream(frames()), true, output));
        reader.start();
        while (reader.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(output.peekText()).hasSizeBetween(1024 * 1024, 1024 * 1024 + 64 * 1024);
        long taken = 0;
        long largest = 0;
        for (Optional<StepOutput.Chunk> next = output.poll(LONG); next.isPresent(); next = output.poll(LONG)) {
            taken += next.get().bytes().length;
            largest = Math.max(largest, next.get().bytes().length);
        }
        reader.join();
        assertThat(taken).isEqualTo(MEGABYTES * 1024L * 1024);
        assertThat(largest).isLessThanOrEqualTo(64 * 1024);
        assertThat(output.isDrained()).isTrue();
    }

    @Test
    void whatIsDiscardedHoldsNobodyUp() throws Exception {
        output.discard();
        new FrameReader(new ByteArrayInputStream(frames()), true, output).run();
        assertThat(output.isDrained()).isTrue();
    }

    private static byte[] frames() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream frames = new DataOutputStream(bytes);
        for (int i = 0; i < MEGABYTES; i++) {
            frames.writeInt((1 + i % 2) << 24);
            frames.writeInt(1024 * 1024);
            frames.write(new byte[1024 * 1024]);
        }
        return bytes.toByteArray();
    }
}
