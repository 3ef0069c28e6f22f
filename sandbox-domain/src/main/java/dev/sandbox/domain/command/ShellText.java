package dev.sandbox.domain.command;

import java.util.ArrayList;
import java.util.List;

/**
 * A text for a shell as an argument vector. Linux takes no single argument of 128 KiB or more (MAX_ARG_STRLEN), so a longer text goes in
 * pieces, which the shell puts together again. Pure.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/execve.2.html">execve(2)</a>
 */
final class ShellText {
    /** In bytes, without the NUL: 32 pages of 4 KiB. A kernel of larger pages takes more. */
    static final int LONGEST_ARGUMENT = 32 * 4096 - 1;

    private ShellText() {}

    /** The text's own arguments begin at {@code $1}; {@code $0} is the shell. */
    static List<String> argv(String shell, String text, List<String> arguments) {
        List<String> argv = new ArrayList<>(List.of(shell, "-c"));
        List<String> pieces = pieces(text);
        if (pieces.size() == 1) {
            argv.add(text);
            if (!arguments.isEmpty()) {
                argv.add(shell);
            }
        } else {
            argv.addAll(List.of(joining(pieces.size()), shell));
            argv.addAll(pieces);
        }
        argv.addAll(arguments);
        return List.copyOf(argv);
    }

    /** On the text's first line, so that its lines keep their numbers. */
    private static String joining(int count) {
        StringBuilder script = new StringBuilder("eval \"shift ").append(count).append(';');
        for (int i = 1; i <= count; i++) {
            script.append("${").append(i).append('}');
        }
        return script.append('"').toString();
    }

    private static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        int start = 0;
        int bytes = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int more = utf8Length(text.codePointAt(i));
            if (bytes + more > LONGEST_ARGUMENT) {
                pieces.add(text.substring(start, i));
                start = i;
                bytes = 0;
            }
            bytes += more;
        }
        pieces.add(text.substring(start));
        return pieces;
    }

    /** How long a text is for the kernel. */
    static long utf8Length(String text) {
        return text.codePoints().mapToLong(ShellText::utf8Length).sum();
    }

    private static int utf8Length(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x10000 ? 3 : 4;
    }
}
