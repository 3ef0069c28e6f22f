package dev.sandbox.docker;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Takes the engine's stream apart. A terminal's is as it comes; any other is multiplexed: frames of one byte for the stream, three of
 * nothing, four of length, the bytes.
 *
 * @see <a href="https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Container/operation/ContainerAttach">Stream format</a>
 */
final class FrameReader implements Runnable {
    private static final int LARGEST_PIECE = 64 * 1024;
    private static final int STDERR = 2;

    private final InputStream body;
    private final boolean multiplexed;
    private final StepOutput output;

    FrameReader(InputStream body, boolean multiplexed, StepOutput output) {
        this.body = body;
        this.multiplexed = multiplexed;
        this.output = output;
    }

    @Override
    public void run() {
        try (DataInputStream stream = new DataInputStream(body)) {
            if (multiplexed) {
                passFrames(stream);
            } else {
                passAll(stream);
            }
        } catch (EOFException endOfStream) {
            // the usual end
        } catch (IOException engineGone) {
            // The exchange asks the engine next, and tells what it says.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            output.end();
        }
    }

    private void passAll(InputStream stream) throws IOException, InterruptedException {
        byte[] buffer = new byte[LARGEST_PIECE];
        for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
            output.put(StepOutput.Channel.STDOUT, Arrays.copyOf(buffer, count));
        }
    }

    private void passFrames(DataInputStream frames) throws IOException, InterruptedException {
        while (true) {
            StepOutput.Channel channel = channel(frames.readByte());
            frames.skipNBytes(3);
            pass(frames, channel, Integer.toUnsignedLong(frames.readInt()));
        }
    }

    private void pass(DataInputStream frames, StepOutput.Channel channel, long length)
            throws IOException, InterruptedException {
        long left = length;
        while (left > 0) {
            byte[] piece = new byte[(int) Math.min(left, LARGEST_PIECE)];
            frames.readFully(piece);
            output.put(channel, piece);
            left -= piece.length;
        }
    }

    private static StepOutput.Channel channel(byte stream) {
        return stream == STDERR ? StepOutput.Channel.STDERR : StepOutput.Channel.STDOUT;
    }
}
