package dev.sandbox.app.selftest;

import dev.sandbox.domain.command.Command;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * System calls spelled for the probe program (src/main/probe/), which makes them one after the other and ends with the errno of the
 * first that fails. Not thread-safe.
 */
final class ProbeCalls {
    private final List<String> words = new ArrayList<>();

    /** One more call on this machine's architecture; its arguments are made by the methods below. */
    ProbeCalls call(SyscallNumbers call, String... arguments) {
        words.add(Integer.toString(call.on(Architecture.host())));
        words.addAll(List.of(arguments));
        words.add(",");
        return this;
    }

    /** A number. */
    static String number(long value) {
        return Long.toString(value);
    }

    /** The address of a text. */
    static String text(String text) {
        return ":" + text;
    }

    /** The address of bytes. */
    static String bytes(byte[] bytes) {
        return "%" + HexFormat.of().formatHex(bytes);
    }

    /** What an earlier call returned, counted from 0. */
    static String result(int call) {
        return "@" + call;
    }

    /** The address of a zeroed buffer of 4096 bytes. */
    static String buffer() {
        return "&0";
    }

    /** {@code struct sockaddr_in} of 127.0.0.1. */
    static byte[] loopback(int port) {
        return HexFormat.of().parseHex("0200" + String.format("%04x", port) + "7f000001" + "00".repeat(Long.BYTES));
    }

    /** {@code struct sockaddr_un}; a name that begins with NUL is an abstract one. */
    static byte[] unixAddress(String name) {
        return HexFormat.of().parseHex("0100" + HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** The command that makes them. */
    Command by(String program) {
        List<String> argv = new ArrayList<>(List.of(program));
        argv.addAll(words);
        return Command.of(argv);
    }
}
