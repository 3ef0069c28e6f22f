package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.linux.seccomp.Filters.Call;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Seccomp;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;

/** Programs decide as the table that they were made from does when it is read by itself. */
final class FilterCompilerPropertyTest {
    private static final int X32_BIT = 0x40000000;

    @Property
    void anyTableIsCompiledToWhatItSays(
            @ForAll("tables") List<HardeningRule> table,
            @ForAll Architecture architecture,
            @ForAll @Size(60) List<@From("calls") Call> calls) {
        BpfProgram program = FilterCompiler.compile(table, architecture);
        for (Call call : calls) {
            assertThat(Filters.verdict(program, call))
                    .as("%s by %s", call, table)
                    .isEqualTo(decision(table, architecture, call));
        }
    }

    @Property
    void everyFilterDecidesAsTheRealTable(
            @ForAll FilterSettings.Network network,
            @ForAll FilterSettings.UnixSockets unix,
            @ForAll UserNamespaces namespaces,
            @ForAll Architecture architecture,
            @ForAll @Size(100) List<@From("calls") Call> calls) {
        FilterSettings settings = new FilterSettings(network, unix, namespaces);
        BpfProgram program = new SyscallFilter(settings).program(architecture);
        for (Call call : calls) {
            assertThat(Filters.verdict(program, call))
                    .as("%s by %s", call, settings)
                    .isEqualTo(decision(HardeningRules.of(settings), architecture, call));
        }
    }

    /** Neither a number that no rule names nor one beside it may be lost between two halves of the search. */
    @Property(tries = 200)
    void everyNumberIsDecidedAsTheRealTable(
            @ForAll FilterSettings.Network network,
            @ForAll FilterSettings.UnixSockets unix,
            @ForAll UserNamespaces namespaces,
            @ForAll Architecture architecture,
            @ForAll @Size(6) List<@From("words") Long> arguments) {
        FilterSettings settings = new FilterSettings(network, unix, namespaces);
        agreeOnAllNumbers(
                new SyscallFilter(settings).program(architecture),
                HardeningRules.of(settings),
                architecture,
                arguments.stream().mapToLong(Long::longValue).toArray());
    }

    @Property(tries = 100)
    void everyNumberIsDecidedAsAnyTableSays(
            @ForAll("longTables") List<HardeningRule> table,
            @ForAll Architecture architecture,
            @ForAll @Size(6) List<@From("words") Long> arguments) {
        BpfProgram program = FilterCompiler.compile(table, architecture);
        Statistics.label("longer than a jump").collect(program.length() > 300);
        Statistics.label("longer than a jump")
                .coverage(checker -> checker.check(true).percentage(percentage -> percentage > 25));
        agreeOnAllNumbers(
                program,
                table,
                architecture,
                arguments.stream().mapToLong(Long::longValue).toArray());
    }

    private static void agreeOnAllNumbers(
            BpfProgram program, List<HardeningRule> table, Architecture architecture, long[] arguments) {
        IntStream.concat(IntStream.range(-3, 700), IntStream.range(X32_BIT - 3, X32_BIT + 600))
                .forEach(number -> {
                    Call call = Call.on(architecture, number, arguments);
                    assertThat(Filters.verdict(program, call))
                            .as("%s by %s", call, table)
                            .isEqualTo(decision(table, architecture, call));
                });
    }

    /** The table read from top to bottom, without a program. */
    private static int decision(List<HardeningRule> table, Architecture architecture, Call call) {
        if (call.arch != architecture.auditArch()) {
            return Seccomp.SECCOMP_RET_KILL_PROCESS;
        }
        boolean x32 = Integer.compareUnsigned(call.nr, X32_BIT) >= 0 || (call.nr >= 512 && call.nr < 548);
        if (architecture == Architecture.X86_64 && x32) {
            return Seccomp.SECCOMP_RET_ERRNO | 38;
        }
        for (HardeningRule rule : table) {
            boolean about = rule.calls().stream()
                    .anyMatch(number -> number.isOn(architecture) && number.on(architecture) == call.nr);
            if (about && (rule.cases().isEmpty() || rule.cases().stream().anyMatch(tests -> holds(tests, call)))) {
                return switch (rule.refusal()) {
                    case EPERM -> 0x50001;
                    case EACCES -> 0x5000d;
                    case ENOSYS -> 0x50026;
                    case KILL -> 0x80000000;
                };
            }
        }
        return Seccomp.SECCOMP_RET_ALLOW;
    }

    private static boolean holds(List<ArgumentTest> tests, Call call) {
        return tests.stream().allMatch(test -> {
            long low = call.argument(test.index()) & 0xffffffffL;
            boolean same = (low & test.mask() & 0xffffffffL) == (test.value() & 0xffffffffL);
            return switch (test.relation()) {
                case IS -> same;
                case IS_NOT -> !same;
            };
        });
    }

    /** Words that tests compare with, by themselves, with a bit more, and with high bits set. */
    @Provide
    Arbitrary<Long> words() {
        Arbitrary<Long> words = Arbitraries.of(
                0L, 1L, 2L, 3L, 5L, 6L, 10L, 16L, 17L, 31L, 0x5412L, 0x541cL, 0x10000000L, 0x20000000L, 0x80001L);
        Arbitrary<Long> high = Arbitraries.of(0L, 0L, 1L << 32, -1L << 32, 1L << 63);
        return Arbitraries.oneOf(Combinators.combine(words, high).as((word, bits) -> word | bits), Arbitraries.longs());
    }

    @Provide
    Arbitrary<Call> calls() {
        Arbitrary<Integer> near = Combinators.combine(
                        Arbitraries.of(SyscallNumbers.class),
                        Arbitraries.of(Architecture.class),
                        Arbitraries.of(0, 0, 0, -1, 1))
                .as((number, architecture, beside) -> number.on(architecture) + beside);
        Arbitrary<Integer> numbers = Arbitraries.oneOf(
                near, Arbitraries.integers().between(0, 700), Arbitraries.integers(), Arbitraries.of(X32_BIT, -1));
        Arbitrary<Integer> archs = Arbitraries.of(0xC000003E, 0xC000003E, 0xC00000B7, 0xC00000B7, 0x40000003, 0);
        return Combinators.combine(archs, numbers, words().array(long[].class).ofSize(6))
                .as(Call::new);
    }

    @Provide
    Arbitrary<List<HardeningRule>> tables() {
        return rules().list().ofMaxSize(12);
    }

    @Provide
    Arbitrary<List<HardeningRule>> longTables() {
        return rules().list().ofMinSize(30).ofMaxSize(60);
    }

    private static Arbitrary<HardeningRule> rules() {
        Arbitrary<ArgumentTest> tests = Combinators.combine(
                        Arbitraries.integers().between(0, 5),
                        Arbitraries.of(-1, 0xf, 0x10000000, 0x20000000, 0xffff),
                        Arbitraries.of(ArgumentTest.Relation.class),
                        Arbitraries.of(0, 1, 2, 6, 16, 0x5412, 0x10000000, -1))
                .as((index, mask, relation, value) -> new ArgumentTest(index, mask, relation, value & mask));
        Arbitrary<List<List<ArgumentTest>>> cases =
                tests.list().ofMinSize(1).ofMaxSize(3).list().ofMaxSize(3);
        Arbitrary<List<SyscallNumbers>> calls =
                Arbitraries.of(SyscallNumbers.class).list().ofMinSize(1).ofMaxSize(6);
        return Combinators.combine(calls, cases, Arbitraries.of(Refusal.class))
                .as((numbers, any, refusal) -> new HardeningRule(
                        "rule", "something", refusal, "why", HardeningRule.When.ALWAYS, numbers, any));
    }
}
