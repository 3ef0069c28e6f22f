package dev.sandbox.app.selftest;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Positive controls of scripts: before a script attacks, it does with the same programs, in the same run, what it may do. A program that
 * is not there, or that fails where it is allowed, would look like an attack that was held.
 */
final class Controls {
    /** Programs by which scripts attack; shells have some of them built in. */
    private static final List<String> PROGRAMS = List.of(
            "grep",
            "ls",
            "ln",
            "mv",
            "rm",
            "mkdir",
            "rmdir",
            "touch",
            "chmod",
            "dd",
            "cat",
            "sleep",
            "head",
            "tr",
            "wc",
            "tail",
            "env",
            "setsid",
            "ps",
            "cp",
            "find",
            "readlink",
            "stat",
            "sed",
            "awk",
            "seq");

    private static final Pattern WORD = Pattern.compile("(?<![\\w/.$-])[a-z]+(?![\\w/.=-])");

    /** Shell functions that the prologue has and the programs that they need. */
    static final String PROLOGUE = """
            untried() { echo "UNTRIED $*"; exit 0; }
            needs() {
                for tool in "$@"; do
                    command -v "$tool" >/dev/null 2>&1 || untried "there is no $tool here"
                done
                for tool in "$@"; do
                    control "$tool" >/dev/null 2>&1 || untried "$tool fails where it is allowed"
                done
                rm -rf "$inside/control" 2>/dev/null
            }
            control() {
                c=$inside/control
                case $1 in
                    grep) echo "$word" >"$c" && grep -q "$word" "$c" ;;
                    ls) ls "$inside" ;;
                    ln) echo >"$c" && ln -s "$c" "$c.link" && rm -f "$c.link" ;;
                    mv) echo >"$c" && mv "$c" "$c.moved" && rm -f "$c.moved" ;;
                    rm) echo >"$c" && rm -f "$c" && ! test -e "$c" ;;
                    mkdir) rm -rf "$c" && mkdir "$c" && rm -rf "$c" ;;
                    rmdir) rm -rf "$c" && mkdir "$c" && rmdir "$c" ;;
                    touch) touch "$c" && test -e "$c" ;;
                    chmod) echo >"$c" && chmod 600 "$c" ;;
                    cat) echo >"$c" && cat "$c" ;;
                    dd) dd if=/dev/zero of=/dev/null bs=1 count=1 ;;
                    *) : ;;
                esac
            }
            """;

    private Controls() {}

    /** The script's first line: it ends as untried unless all that the script uses works. */
    static String of(String script) {
        Set<String> used = new LinkedHashSet<>();
        if (script.contains("holds_word")) {
            used.add("grep");
        }
        Matcher words = WORD.matcher(script);
        while (words.find()) {
            if (PROGRAMS.contains(words.group())) {
                used.add(words.group());
            }
        }
        return used.isEmpty() ? "" : "needs " + String.join(" ", used) + "\n";
    }
}
