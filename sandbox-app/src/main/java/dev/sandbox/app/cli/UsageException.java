package dev.sandbox.app.cli;

/** The command line is wrong; the message is one line for people. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
