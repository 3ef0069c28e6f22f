package dev.sandbox.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UsageHintsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run --netwrk none -c true | USAGE: unknown option: --netwrk; did you mean --network?; see sandbox run --help",
                "run --raed=/x -c true | USAGE: unknown option: --raed=/x; did you mean --read?; see sandbox run --help",
                "run --frobnicate | USAGE: unknown option: --frobnicate; see sandbox run --help",
                "run ls -l | USAGE: unknown option: -l; if it is for ls, put -- first: sandbox run -- ls -l; see sandbox run --help",
                "explian /etc | USAGE: unknown command: \"explian\"; did you mean explain?; see sandbox --help",
                "rnu -c true | USAGE: unknown command: \"rnu\"; did you mean run?; see sandbox --help",
                "policy chek | USAGE: unknown command: \"chek\"; did you mean check?; see sandbox policy --help",
                "help nosuch | USAGE: Unknown subcommand 'nosuch'; see sandbox --help",
                "doctor x | USAGE: unexpected argument: \"x\"; see sandbox doctor --help",
                "run --run-as no/body -c true | USAGE: --run-as: \"no/body\" is neither USER, USER:GROUP nor owner;"
                        + " write numbers in decimal, without leading zeros",
                "run --run-as nosuchuser -c true | USAGE: --run-as: there is no user \"nosuchuser\" in /etc/passwd; write a number",
                "run --env =x -c true | USAGE: --env: \"\" is no variable's name; write NAME=VALUE or NAME",
            })
    void aSlipIsAnsweredByWhatWasMeant(String line, String said) {
        InProcess.Said outcome = InProcess.run(List.of(line.trim().split(" ")).toArray(new String[0]));
        assertThat(outcome.err()).isEqualTo(said + "\n");
        assertThat(outcome.code()).isEqualTo(125);
    }
}
