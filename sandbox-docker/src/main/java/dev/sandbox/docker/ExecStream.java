package dev.sandbox.docker;

import java.io.InputStream;

/**
 * A started command's connection.
 *
 * @param output what it prints, multiplexed
 * @param connection to close when it is over
 */
record ExecStream(InputStream output, Runnable connection) implements AutoCloseable {
    @Override
    public void close() {
        connection.run();
    }
}
