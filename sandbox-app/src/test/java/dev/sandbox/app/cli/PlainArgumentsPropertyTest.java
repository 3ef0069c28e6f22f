package dev.sandbox.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.core.Sandboxes;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** picocli is the authority: what is read without it, it reads alike; what it refuses is not read without it. */
final class PlainArgumentsPropertyTest {
    @Property(tries = 3000)
    void whatIsReadWithoutPicocliIsWhatPicocliReads(@ForAll("commandLines") List<String> words) throws Exception {
        String[] arguments = words.toArray(String[]::new);

        Optional<RunCommand> plain = PlainArguments.parse(arguments);

        Statistics.label("read without picocli").collect(plain.isPresent()).coverage(coverage -> {
            coverage.check(true).percentage(p -> p > 20);
            coverage.check(false).percentage(p -> p > 5);
        });
        if (plain.isPresent()) {
            assertThat(fields(plain.get())).isEqualTo(fields(byPicocli(arguments)));
        }
    }

    @Example
    void everyOptionIsReadWithoutPicocli() throws Exception {
        int compared = 0;
        for (OptionSpec option : options()) {
            for (String name : option.names()) {
                String[] arguments = option.arity().max() == 0
                        ? new String[] {"run", name, "--", "true"}
                        : new String[] {"run", name, value(option), "--", "true"};

                Optional<RunCommand> plain = PlainArguments.parse(arguments);

                assertThat(plain).as(name).isPresent();
                assertThat(fields(plain.orElseThrow())).as(name).isEqualTo(fields(byPicocli(arguments)));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(35);
    }

    @Example
    void helpIsForPicocli() {
        assertThat(PlainArguments.parse("run", "--help")).isEmpty();
        assertThat(PlainArguments.parse("run", "-V")).isEmpty();
        assertThat(PlainArguments.parse("doctor")).isEmpty();
        assertThat(PlainArguments.parse()).isEmpty();
    }

    private static CommandLine run() {
        return Objects.requireNonNull(CommandLines.commandLine(() -> Sandboxes.standard(Map.of()), true)
                .getSubcommands()
                .get("run"));
    }

    private static List<OptionSpec> options() {
        return run().getCommandSpec().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .toList();
    }

    private static String value(OptionSpec option) {
        String label = option.paramLabel();
        if (option.longestName().startsWith("--max-") && option.type() != String.class) {
            return "64";
        }
        return label.contains("|") ? label.substring(0, label.indexOf('|')) : "x";
    }

    private static RunCommand byPicocli(String... arguments) {
        CommandLine command = CommandLines.commandLine(() -> Sandboxes.standard(Map.of()), true);
        try {
            return (RunCommand)
                    command.parseArgs(arguments).subcommand().commandSpec().userObject();
        } catch (ParameterException refused) {
            throw new AssertionError("picocli refuses " + Arrays.toString(arguments), refused);
        }
    }

    private static Map<String, String> fields(RunCommand run) throws IllegalAccessException {
        Map<String, String> fields = new TreeMap<>();
        PolicyOptions options = run.options;
        List<Object> holders = List.of(run, options, options.environment, options.limits);
        for (Object holder : holders) {
            for (Field field : holder.getClass().getDeclaredFields()) {
                field.setAccessible(true);
                Object value = field.get(holder);
                boolean isHolder = value != null && holders.contains(value);
                if (!isHolder && !field.getName().equals("main")) {
                    fields.put(field.getName(), field.getType() + " " + value);
                }
            }
        }
        return fields;
    }

    @Provide
    Arbitrary<List<String>> commandLines() {
        Arbitrary<List<String>> before = word().list().ofMaxSize(4).map(PlainArgumentsPropertyTest::joined);
        Arbitrary<List<String>> after = Arbitraries.of("true", "--", "--read", "-c", "", "a b", "@f", "--json", "é")
                .list()
                .ofMaxSize(3);
        Arbitrary<Boolean> ends = Arbitraries.of(true, true, true, false);
        return Combinators.combine(before, ends, after).as((options, end, program) -> {
            List<String> words = new ArrayList<>(List.of("run"));
            words.addAll(options);
            if (end) {
                words.add("--");
                words.addAll(program);
            }
            return words;
        });
    }

    private static List<String> joined(List<List<String>> words) {
        return words.stream().flatMap(List::stream).toList();
    }

    /** An option, mostly with a value that fits it; sometimes a word of any kind. */
    private static Arbitrary<List<String>> word() {
        List<OptionSpec> options = options();
        Arbitrary<String> values = Arbitraries.of(
                "x",
                "",
                "64",
                "064",
                "+5",
                "-5",
                "0x10",
                "99999999999999999999",
                "private",
                "HOST",
                "none",
                "self",
                "allow",
                "native",
                "@f",
                "a=b",
                "=",
                "--",
                "-c",
                "--json",
                "true",
                "run",
                "\"q\"",
                "é",
                "a b",
                "default",
                "1,2");
        return Arbitraries.of(options)
                .flatMap(option -> Arbitraries.frequencyOf(
                        Tuple.of(6, Arbitraries.just(fitting(option))),
                        Tuple.of(2, values.map(value -> List.of(option.longestName(), value))),
                        Tuple.of(2, values.map(value -> List.of(option.longestName() + "=" + value))),
                        Tuple.of(1, values.map(List::of)),
                        Tuple.of(
                                1,
                                Arbitraries.of(
                                        List.of("--help"),
                                        List.of("-h"),
                                        List.of("-cx"),
                                        List.of("--rea", "x"),
                                        List.of("-x")))));
    }

    private static List<String> fitting(OptionSpec option) {
        return option.arity().max() == 0 ? List.of(option.longestName()) : List.of(option.longestName(), value(option));
    }
}
