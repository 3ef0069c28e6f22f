package dev.sandbox.linux.seccomp;

import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Seccomp;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * From rules to a program: the architecture first, then a binary search over ranges of numbers, whose leaves look at arguments.
 *
 * <p>The kernel asks the program once for each number when a filter is installed, to find those that it always allows, and never
 * again for those. So the search is balanced by what it is asked: a range counts by its numbers, and a call whose arguments are
 * looked at counts more, since it is asked each time.
 */
final class FilterCompiler {
    /** Calls of the x32 ABI come with the native architecture and this bit. */
    private static final int X32_BIT = 0x40000000;
    /** Numbers that before Linux 5.4 reached x32's own calls without the bit; nothing else ever has them. */
    private static final int FIRST_OF_X32 = 512;

    private static final int FIRST_AFTER_X32 = 548;

    /** About as many numbers as kernels have; for the balance alone. */
    private static final int NUMBERS = 470;

    private static final int WEIGHT_OF_TESTS = 16;

    private final BpfAssembler program = new BpfAssembler();

    private FilterCompiler() {}

    private record Case(List<ArgumentTest> tests, Refusal refusal) {
        // Written out here and below: a record's own are made by invokedynamic, anew at each start of the JVM.
        @Override
        public boolean equals(@Nullable Object object) {
            return object instanceof Case other && tests.equals(other.tests) && refusal == other.refusal;
        }

        @Override
        public int hashCode() {
            return 31 * tests.hashCode() + refusal.hashCode();
        }
    }

    /** From the first number on, up to the one after: the first case that matches, else allow. */
    private record Range(int first, int after, List<Case> cases) {
        int weight() {
            boolean looksAtArguments = !cases.isEmpty() && !cases.get(0).tests.isEmpty();
            return looksAtArguments ? WEIGHT_OF_TESTS : Math.max(1, Math.min(after, NUMBERS) - first);
        }

        boolean isOneNumber() {
            return after - first == 1;
        }
    }

    static BpfProgram compile(List<HardeningRule> rules, Architecture architecture) {
        return new FilterCompiler().filter(ranges(rules, architecture), architecture);
    }

    private BpfProgram filter(List<Range> ranges, Architecture architecture) {
        int numbers = program.load(Seccomp.NR, search(ranges));
        int foreign = program.ret(Refusal.KILL.verdict());
        int start = program.ifEqual(architecture.auditArch(), numbers, foreign);
        return program.program(program.load(Seccomp.ARCH, start));
    }

    private static List<Range> ranges(List<HardeningRule> rules, Architecture architecture) {
        TreeMap<Integer, List<Case>> starts = new TreeMap<>();
        starts.put(0, List.of());
        if (architecture == Architecture.X86_64) {
            List<Case> unknown = List.of(new Case(List.of(), Refusal.ENOSYS));
            starts.put(FIRST_OF_X32, unknown);
            starts.put(FIRST_AFTER_X32, List.of());
            starts.put(X32_BIT, unknown);
        }
        Map<Integer, List<Case>> numbers = cases(rules, architecture);
        numbers.keySet().forEach(number -> starts.putIfAbsent(number + 1, List.of()));
        starts.putAll(numbers);
        return merged(starts);
    }

    private static List<Range> merged(SortedMap<Integer, List<Case>> starts) {
        List<Range> ranges = new ArrayList<>();
        int after = Integer.MAX_VALUE;
        for (Map.Entry<Integer, List<Case>> start : starts.entrySet()) {
            Range last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
            if (last != null && last.cases.equals(start.getValue())) {
                continue;
            }
            if (last != null) {
                ranges.set(ranges.size() - 1, new Range(last.first, start.getKey(), last.cases));
            }
            ranges.add(new Range(start.getKey(), after, start.getValue()));
        }
        return ranges;
    }

    private static Map<Integer, List<Case>> cases(List<HardeningRule> rules, Architecture architecture) {
        Map<Integer, List<Case>> cases = new TreeMap<>();
        for (HardeningRule rule : rules) {
            for (SyscallNumbers call : rule.calls()) {
                if (call.isOn(architecture)) {
                    List<Case> all = cases.computeIfAbsent(call.on(architecture), number -> new ArrayList<>());
                    addTo(all, rule);
                }
            }
        }
        return cases;
    }

    private static void addTo(List<Case> all, HardeningRule rule) {
        boolean decided = !all.isEmpty() && all.get(all.size() - 1).tests.isEmpty();
        if (!decided && rule.cases().isEmpty()) {
            all.add(new Case(List.of(), rule.refusal()));
        } else if (!decided) {
            rule.cases().forEach(tests -> all.add(new Case(tests, rule.refusal())));
        }
    }

    private int search(List<Range> ranges) {
        if (ranges.size() == 1) {
            return leaf(ranges.get(0));
        }
        if (isOneNumberAmongEqual(ranges)) {
            Range one = ranges.get(1);
            int others = leaf(ranges.get(0));
            return program.ifEqual(one.first, leaf(one), others);
        }
        int middle = middle(ranges);
        int upper = search(ranges.subList(middle, ranges.size()));
        int lower = search(ranges.subList(0, middle));
        return program.ifAtLeast(ranges.get(middle).first, upper, lower);
    }

    private static boolean isOneNumberAmongEqual(List<Range> ranges) {
        return ranges.size() == 3
                && ranges.get(1).isOneNumber()
                && ranges.get(0).cases.equals(ranges.get(2).cases);
    }

    /** Where the upper half begins, so that the heavier half is as light as can be. */
    private static int middle(List<Range> ranges) {
        int all = 0;
        for (Range range : ranges) {
            all += range.weight();
        }
        int best = 1;
        int least = Integer.MAX_VALUE;
        int below = 0;
        for (int i = 1; i < ranges.size(); i++) {
            below += ranges.get(i - 1).weight();
            int heavier = Math.max(below, all - below);
            if (heavier < least) {
                least = heavier;
                best = i;
            }
        }
        return best;
    }

    private int leaf(Range range) {
        return new Leaf(range.cases).after(0, 0, Word.NONE);
    }

    /** What is in the accumulator: an argument's low half, or some of its bits. */
    private record Word(int index, int mask) {
        /** The number of the call, which no test asks for. */
        private static final Word NONE = new Word(-1, 0);

        @Override
        public boolean equals(@Nullable Object object) {
            return object instanceof Word other && index == other.index && mask == other.mask;
        }

        @Override
        public int hashCode() {
            return 31 * index + mask;
        }
    }

    /** The cases of one range as a program that remembers what it has loaded. */
    private final class Leaf {
        private record State(int at, int test, Word loaded) {
            @Override
            public boolean equals(@Nullable Object object) {
                return object instanceof State other
                        && at == other.at
                        && test == other.test
                        && loaded.equals(other.loaded);
            }

            @Override
            public int hashCode() {
                return 31 * (31 * at + test) + loaded.hashCode();
            }
        }

        private final List<Case> cases;
        private final Map<State, Integer> known = new HashMap<>();

        Leaf(List<Case> cases) {
            this.cases = cases;
        }

        /** What is left to be done when all cases before this one are out and all tests of this one before that one held. */
        int after(int at, int test, Word loaded) {
            State state = new State(at, test, loaded);
            Integer place = known.get(state);
            if (place == null) {
                place = make(at, test, loaded);
                known.put(state, place);
            }
            return place;
        }

        private int make(int at, int test, Word loaded) {
            if (at == cases.size()) {
                return program.ret(Seccomp.SECCOMP_RET_ALLOW);
            }
            Case current = cases.get(at);
            return test == current.tests.size()
                    ? program.ret(current.refusal.verdict())
                    : ask(current.tests.get(test), at, test, loaded);
        }

        private int ask(ArgumentTest asked, int at, int test, Word loaded) {
            Word whole = new Word(asked.index(), ArgumentTest.ALL);
            boolean anyBit = !asked.looksAtAllBits() && asked.value() == 0;
            Word needed = anyBit ? whole : new Word(asked.index(), asked.mask());
            int met = after(at, test + 1, needed);
            int unmet = after(at + 1, 0, needed);
            boolean is = asked.relation() == ArgumentTest.Relation.IS;
            int place = anyBit
                    ? program.ifAnyBit(asked.mask(), is ? unmet : met, is ? met : unmet)
                    : program.ifEqual(asked.value(), is ? met : unmet, is ? unmet : met);
            if (!needed.equals(loaded) && !needed.equals(whole)) {
                place = program.and(asked.mask(), place);
            }
            return needed.equals(loaded) || whole.equals(loaded)
                    ? place
                    : program.load(Seccomp.ARGUMENTS + Long.BYTES * asked.index(), place);
        }
    }
}
