package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.ArrayList;
import java.util.List;

/**
 * What a child does between its birth and the program that it becomes: an ordered list of system calls. A pure value: it is made and
 * printed anywhere, and carried out by {@link Spawner}. Immutable.
 *
 * <p>It ends with the first call that fails, with execve(2), or at its end; then the child exits.
 */
public final class SyscallProgram {
    /** Ends the name of a look at a child. It fails only when the child has, whose own failure is then told. */
    public static final String OUTCOME = ": look at its outcome";

    private final String name;
    private final List<Entry> entries;
    // Where the child says how far it has come: the program's own place in memory.
    private final Block header;

    private SyscallProgram(String name, List<Entry> entries) {
        this.name = name;
        this.entries = List.copyOf(entries);
        this.header = Block.zero("$" + name, Layout.PROGRAM_SIZE);
    }

    /** @param name of the child that carries it out, for messages */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Of the child that carries it out. */
    public String name() {
        return name;
    }

    /** In order. */
    public List<Entry> entries() {
        return entries;
    }

    Block header() {
        return header;
    }

    /** A child, and the look whether it came to its end. */
    public static List<Entry> child(Entry.Clone clone) {
        Slot failed = clone.program().header().slot(Layout.ERRNO);
        return List.of(
                clone,
                new Entry.Compare(clone.name() + OUTCOME, Argument.in(failed), Argument.of(0), Layout.ECANCELED));
    }

    /** For people: one line an entry, those of a child indented below its clone. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        addLines("", lines);
        return lines;
    }

    private void addLines(String indent, List<String> lines) {
        for (Entry entry : entries) {
            lines.add(indent + entry.name() + ": " + entry.line());
            if (entry instanceof Entry.Clone clone) {
                clone.program().addLines(indent + "  ", lines);
            }
        }
    }

    /** Collects entries in order. One thread at a time. */
    public static final class Builder {
        private final String name;
        private final List<Entry> entries = new ArrayList<>();

        private Builder(String name) {
            this.name = name;
        }

        /** A call that must succeed. */
        public Builder call(String what, SyscallNumbers call, Argument... arguments) {
            return add(Entry.Call.of(what, call, arguments));
        }

        /** A call that must succeed and whose result is kept. */
        public Builder call(Slot result, String what, SyscallNumbers call, Argument... arguments) {
            return add(Entry.Call.of(what, call, arguments).into(result));
        }

        /** Two words that must be equal. */
        public Builder compare(String what, Argument left, Argument right, int errno) {
            return add(new Entry.Compare(what, left, right, errno));
        }

        /** A child, and the look whether it came to its end. */
        public Builder child(Entry.Clone clone) {
            return addAll(SyscallProgram.child(clone));
        }

        /** Any entry. */
        public Builder add(Entry entry) {
            entries.add(entry);
            return this;
        }

        /** All entries of a family. */
        public Builder addAll(List<? extends Entry> others) {
            entries.addAll(others);
            return this;
        }

        /** The finished program. */
        public SyscallProgram build() {
            return new SyscallProgram(name, entries);
        }
    }
}
