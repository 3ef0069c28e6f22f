package dev.sandbox.linux.spawn;

import com.kenai.jffi.MemoryIO;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A clone and all its programs in native memory, ready for the machine code. It must live until the call returned and no child is left
 * that has not executed a program. One thread at a time, but for {@link #pid}.
 */
final class ProgramImage implements AutoCloseable {
    private static final MemoryIO MEMORY = MemoryIO.getInstance();
    /** Every child shares the caller's memory, keeps its parent waiting, and has its number stored before it runs. */
    private static final long FLAGS = Sched.CLONE_VM | Sched.CLONE_VFORK | Sched.CLONE_PARENT_SETTID;

    private static final int CLONE_ARGS_SIZE = 88;
    private static final int SIGNAL_MASK = 0xff;
    private static final int EIO = 5;

    private final Architecture architecture;
    private final Predicate<Entry> fails;
    private final Predicate<Entry> omits;
    private final IdentityHashMap<Block, Integer> offsets = new IdentityHashMap<>();
    private final List<Block> blocks = new ArrayList<>();
    private final IdentityHashMap<SyscallProgram, Integer> records = new IdentityHashMap<>();
    private final List<SyscallProgram> programs = new ArrayList<>();
    private final List<Entry.Clone> clones = new ArrayList<>();
    private final IdentityHashMap<Entry.Clone, Block> cloneArguments = new IdentityHashMap<>();
    private final IdentityHashMap<Entry.Clone, Integer> stacks = new IdentityHashMap<>();
    private final Entry.Clone outermost;
    private final SyscallProgram caller;
    private int size;
    private long base;

    private ProgramImage(Entry.Clone clone, Architecture architecture, Predicate<Entry> fails, Predicate<Entry> omits) {
        this.outermost = clone;
        this.architecture = architecture;
        this.fails = fails;
        this.omits = omits;
        // The caller's one record is laid out as a program's, which nobody interprets.
        this.caller = SyscallProgram.named("caller").add(clone).build();
    }

    /**
     * Lays out.
     *
     * @param fails which entries are to fail without being tried: for those who test what comes of it
     * @param omits which are taken for done, for them too
     */
    static ProgramImage of(
            Entry.Clone clone, Architecture architecture, Predicate<Entry> fails, Predicate<Entry> omits) {
        ProgramImage image = new ProgramImage(clone, architecture, fails, omits);
        image.place(image.caller);
        image.write();
        return image;
    }

    private void place(SyscallProgram program) {
        if (records.containsKey(program)) {
            throw new IllegalArgumentException(program.name() + " is carried out twice");
        }
        place(program.header());
        records.put(program, size);
        programs.add(program);
        size += program.entries().size() * Layout.RECORD_SIZE;
        for (Entry entry : program.entries()) {
            if (entry instanceof Entry.Call call) {
                call.arguments().forEach(this::place);
                call.result().ifPresent(slot -> place(slot.block()));
            } else if (entry instanceof Entry.Compare compare) {
                place(compare.left());
                place(compare.right());
            } else if (entry instanceof Entry.Clone clone) {
                place(clone);
            }
        }
    }

    private void place(Entry.Clone clone) {
        stacks.put(clone, clones.size());
        clones.add(clone);
        place(clone.pid().block());
        clone.cgroup().ifPresent(fd -> {
            place(fd);
            Block arguments = Block.zero("clone_args", CLONE_ARGS_SIZE);
            cloneArguments.put(clone, arguments);
            place(arguments);
        });
        place(clone.program());
    }

    private void place(Argument argument) {
        if (argument instanceof Argument.Address address) {
            place(address.block());
        } else if (argument instanceof Argument.Load load) {
            place(load.slot().block());
        }
    }

    private void place(Block block) {
        if (offsets.putIfAbsent(block, size) == null) {
            blocks.add(block);
            size += (block.content().length + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
            block.pointers().forEach(this::place);
        }
    }

    private void write() {
        int afterData = (size + Layout.STACK_ALIGNMENT - 1) / Layout.STACK_ALIGNMENT * Layout.STACK_ALIGNMENT;
        // One more alignment, for the allocator promises 8 bytes only.
        long total = (long) afterData + Layout.STACK_ALIGNMENT + (long) clones.size() * Layout.STACK_SIZE;
        base = MEMORY.allocateMemory(total, false);
        if (base == 0) {
            throw new OutOfMemoryError("malloc(" + total + ")");
        }
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        for (Block block : blocks) {
            int offset = offset(block);
            bytes.put(offset, block.content());
            for (int i = 0; i < block.pointers().size(); i++) {
                bytes.putLong(
                        offset + block.firstPointer() + i * Long.BYTES,
                        base + offset(block.pointers().get(i)));
            }
        }
        programs.forEach(program -> write(program, bytes, afterData));
        MEMORY.putByteArray(base, bytes.array(), 0, size);
    }

    private void write(SyscallProgram program, ByteBuffer bytes, int afterData) {
        int first = first(program);
        int header = offset(program.header());
        bytes.putLong(header + Layout.COUNT, program.entries().size());
        bytes.putLong(header + Layout.RECORDS, base + first);
        int record = first;
        for (Entry entry : program.entries()) {
            if (program != caller && fails.test(entry)) {
                write(new Entry.Compare(entry.name(), Argument.of(0), Argument.of(1), EIO), record, bytes);
            } else if (program != caller && omits.test(entry)) {
                write(new Entry.Compare(entry.name(), Argument.of(0), Argument.of(0), EIO), record, bytes);
            } else if (entry instanceof Entry.Call call) {
                write(call, record, bytes);
            } else if (entry instanceof Entry.Compare compare) {
                write(compare, record, bytes);
            } else if (entry instanceof Entry.Clone clone) {
                write(clone, record, bytes, afterData);
            }
            record += Layout.RECORD_SIZE;
        }
    }

    private void write(Entry.Call call, int record, ByteBuffer bytes) {
        bytes.putLong(record + Layout.KIND, Layout.KIND_CALL);
        bytes.putLong(record + Layout.NUMBER, number(call.call()));
        write(call.arguments(), record, bytes);
        call.result().ifPresent(slot -> bytes.putLong(record + Layout.RESULT, address(slot)));
        bytes.putLong(record + Layout.TOLERATED, call.tolerated());
    }

    private void write(Entry.Compare compare, int record, ByteBuffer bytes) {
        bytes.putLong(record + Layout.KIND, Layout.KIND_COMPARE);
        write(List.of(compare.left(), compare.right(), Argument.of(compare.errno())), record, bytes);
    }

    private void write(Entry.Clone clone, int record, ByteBuffer bytes, int afterData) {
        long top = stackTop(clone, afterData);
        bytes.putLong(record + Layout.KIND, Layout.KIND_CLONE);
        Block clone3 = cloneArguments.get(clone);
        if (clone3 == null) {
            bytes.putLong(record + Layout.NUMBER, number(SyscallNumbers.CLONE));
            write(
                    List.of(Argument.of(clone.flags() | FLAGS), Argument.of(top), Argument.at(clone.pid())),
                    record,
                    bytes);
        } else {
            writeClone3(clone, offset(clone3), top, bytes);
            bytes.putLong(record + Layout.NUMBER, number(SyscallNumbers.CLONE3));
            write(List.of(Argument.at(clone3), Argument.of(CLONE_ARGS_SIZE)), record, bytes);
        }
        bytes.putLong(
                record + Layout.ARGUMENTS + Layout.PROGRAM_ARGUMENT * Long.BYTES,
                base + offset(clone.program().header()));
    }

    /** {@code struct clone_args}: flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, its size, cgroup. */
    private void writeClone3(Entry.Clone clone, int at, long top, ByteBuffer bytes) {
        long flags = (clone.flags() & ~SIGNAL_MASK) | FLAGS | Sched.CLONE_INTO_CGROUP;
        long cgroup = clone.cgroup().map(fd -> ((Argument.Value) fd).value()).orElseThrow();
        long[] words = {
            flags,
            0,
            0,
            address(clone.pid()),
            clone.flags() & SIGNAL_MASK,
            top - Layout.STACK_SIZE,
            Layout.STACK_SIZE,
            0,
            0,
            0,
            cgroup
        };
        for (int i = 0; i < words.length; i++) {
            bytes.putLong(at + i * Long.BYTES, words[i]);
        }
    }

    private long stackTop(Entry.Clone clone, int afterData) {
        long first = (base + afterData + Layout.STACK_ALIGNMENT - 1) & -Layout.STACK_ALIGNMENT;
        Integer index = stacks.get(clone);
        return first + (index == null ? 0 : index + 1L) * Layout.STACK_SIZE;
    }

    private void write(List<Argument> arguments, int record, ByteBuffer bytes) {
        long loaded = 0;
        for (int i = 0; i < arguments.size(); i++) {
            Argument argument = arguments.get(i);
            loaded |= argument instanceof Argument.Load ? 1L << i : 0;
            bytes.putLong(record + Layout.ARGUMENTS + i * Long.BYTES, word(argument));
        }
        bytes.putLong(record + Layout.LOADED, loaded);
    }

    private long word(Argument argument) {
        if (argument instanceof Argument.Value value) {
            return value.value();
        }
        if (argument instanceof Argument.Address address) {
            return base + offset(address.block()) + address.offset();
        }
        return address(((Argument.Load) argument).slot());
    }

    private int number(SyscallNumbers call) {
        int number = call.on(architecture);
        if (number < 0) {
            throw new IllegalArgumentException(call.id() + " does not exist on " + architecture);
        }
        return number;
    }

    private int offset(Block block) {
        Integer offset = offsets.get(block);
        if (offset == null) {
            throw new IllegalArgumentException(block.label() + " is no part of this program");
        }
        return offset;
    }

    private long address(Slot slot) {
        return base + offset(slot.block()) + slot.offset();
    }

    /** Of the record that the machine code starts with. */
    long address() {
        return base + first(caller);
    }

    private int first(SyscallProgram program) {
        Integer first = records.get(program);
        return first == null ? 0 : first;
    }

    /** The clones, the outermost first. */
    List<Entry.Clone> clones() {
        return clones;
    }

    /** What a slot holds. */
    long value(Slot slot) {
        return MEMORY.getLong(address(slot));
    }

    /** A child's number; 0 while there is none. Also while the machine code runs. */
    int pid(Entry.Clone clone) {
        return MEMORY.getInt(address(clone.pid()));
    }

    /** The entry at which a program stands or stopped; empty when it has come to its end. */
    OptionalInt at(SyscallProgram program) {
        long at = MEMORY.getLong(base + offset(program.header()) + Layout.AT);
        return at < program.entries().size() ? OptionalInt.of((int) at) : OptionalInt.empty();
    }

    /** Why a program stopped; 0 when it executed another, came to its end, or was killed. */
    int errno(SyscallProgram program) {
        return (int) MEMORY.getLong(base + offset(program.header()) + Layout.ERRNO);
    }

    Entry.Clone outermost() {
        return outermost;
    }

    @Override
    public void close() {
        if (base != 0) {
            MEMORY.freeMemory(base);
            base = 0;
        }
    }
}
