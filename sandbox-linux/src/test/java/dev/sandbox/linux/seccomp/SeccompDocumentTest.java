package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.linux.uapi.SyscallNumbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of docs/seccomp.md is the one that is enforced; {@code -Dgolden.update=true} writes it anew. */
final class SeccompDocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/seccomp.md");
    private static final String BEGIN = "<!-- rules: written by a test -->\n";
    private static final String END = "<!-- end of rules -->\n";

    private static String table() {
        return HardeningRules.all().stream()
                .map(SeccompDocumentTest::row)
                .collect(Collectors.joining(
                        "", "| rule | denies | system calls | answer | when | why |\n|---|---|---|---|---|---|\n", ""));
    }

    private static String row(HardeningRule rule) {
        String calls = rule.calls().stream().map(SyscallNumbers::id).collect(Collectors.joining(" "));
        return String.join(
                        " | ",
                        "| `" + rule.name() + "`",
                        rule.denies(),
                        calls,
                        rule.refusal() == Refusal.KILL
                                ? "SIGSYS"
                                : rule.refusal().name(),
                        rule.when().text(),
                        rule.why())
                + " |\n";
    }

    @Test
    void tableIsTheOneThatIsEnforced() throws IOException {
        String text = Files.readString(DOCUMENT);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(DOCUMENT, text.substring(0, begin) + table() + text.substring(end));
            return;
        }
        assertThat(text.substring(begin, end)).isEqualTo(table());
    }
}
