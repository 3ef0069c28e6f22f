package dev.sandbox.linux.seccomp;

import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Seccomp;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * From rules to a program. A binary search over ranges of numbers: the kernel asks the program once for each number when a filter is
 * installed, to find those that it always allows, and never again for those. So the time of a spawn is what its depth decides.
 */
final class FilterCompiler {
    /** Calls of the x32 ABI come with the native architecture and this bit. */
    private static final int X32_BIT = 0x40000000;
    /** Numbers that before Linux 5.4 reached x32's own calls without the bit; nothing else ever has them. */
    private static final int FIRST_OF_X32 = 512;

    private static final int FIRST_AFTER_X32 = 548;

    private static final int LONGEST_JUMP = 255;
    private static final int LONGEST_NODE = 2;
    private static final int LONGEST_TEST = 3;

    private final BpfProgram.Assembler program = BpfProgram.assembler();
    private int labels;

    private FilterCompiler() {}

    private record Case(List<ArgumentTest> tests, Refusal refusal) {}

    /** From this number on, up to the next range: the first case that matches, else allow. */
    private record Range(int first, List<Case> cases) {}

    static BpfProgram compile(List<HardeningRule> rules, Architecture architecture) {
        FilterCompiler compiler = new FilterCompiler();
        compiler.program
                .load(Seccomp.ARCH)
                .jumpIfEqual(architecture.auditArch(), "native")
                .ret(Refusal.KILL.verdict())
                .label("native")
                .load(Seccomp.NR);
        compiler.search(ranges(rules, architecture));
        return compiler.program.assemble();
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
        List<Range> ranges = new ArrayList<>();
        starts.forEach((first, cases) -> {
            if (ranges.isEmpty() || !ranges.get(ranges.size() - 1).cases.equals(cases)) {
                ranges.add(new Range(first, cases));
            }
        });
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

    private void search(List<Range> ranges) {
        int half = ranges.size() / 2;
        if (half == 0) {
            decide(ranges.get(0).cases);
            return;
        }
        String upper = newLabel();
        if (longest(ranges.subList(0, half)) < LONGEST_JUMP) {
            program.jumpIfAtLeast(ranges.get(half).first, upper);
        } else {
            String lower = newLabel();
            program.jumpUnlessAtLeast(ranges.get(half).first, lower).jump(upper).label(lower);
        }
        search(ranges.subList(0, half));
        program.label(upper);
        search(ranges.subList(half, ranges.size()));
    }

    /** How many instructions these become at most. */
    private static int longest(List<Range> ranges) {
        int length = 0;
        for (Range range : ranges) {
            length += LONGEST_NODE + 1;
            for (Case candidate : range.cases) {
                length += LONGEST_TEST * candidate.tests.size() + 1;
            }
        }
        return length;
    }

    private void decide(List<Case> cases) {
        for (Case candidate : cases) {
            if (candidate.tests.isEmpty()) {
                program.ret(candidate.refusal.verdict());
                return;
            }
            String next = newLabel();
            candidate.tests.forEach(test -> test(test, next));
            program.ret(candidate.refusal.verdict()).label(next);
        }
        program.ret(Seccomp.SECCOMP_RET_ALLOW);
    }

    private void test(ArgumentTest test, String unmet) {
        program.load(Seccomp.ARGUMENTS + Long.BYTES * test.index());
        if (!test.looksAtAllBits()) {
            program.and(test.mask());
        }
        switch (test.relation()) {
            case IS -> program.jumpUnlessEqual(test.value(), unmet);
            case IS_NOT -> program.jumpIfEqual(test.value(), unmet);
        }
    }

    private String newLabel() {
        return "label " + labels++;
    }
}
