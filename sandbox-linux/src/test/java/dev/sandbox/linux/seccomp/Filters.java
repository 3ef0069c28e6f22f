package dev.sandbox.linux.seccomp;

import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.linux.seccomp.FilterSettings.Network;
import dev.sandbox.linux.seccomp.FilterSettings.UnixSockets;
import dev.sandbox.linux.uapi.Architecture;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Filters for tests, and what the kernel would answer by them. */
public final class Filters {
    public static final FilterSettings USUAL = new FilterSettings(Network.OPEN, UnixSockets.OPEN, UserNamespaces.DENY);

    private Filters() {}

    /** The one with the most rules, for this machine. */
    public static BpfProgram strictest() {
        return of(new FilterSettings(Network.CLOSED, UnixSockets.PAIRS, UserNamespaces.DENY));
    }

    /** What every step has. */
    public static BpfProgram usual() {
        return of(USUAL);
    }

    static BpfProgram of(FilterSettings settings) {
        return new SyscallFilter(settings).program(Architecture.host());
    }

    /** {@code struct seccomp_data}. */
    static final class Call {
        final int arch;
        final int nr;
        private final long[] arguments;

        Call(int arch, int nr, long... arguments) {
            this.arch = arch;
            this.nr = nr;
            this.arguments = arguments.clone();
        }

        static Call on(Architecture architecture, int nr, long... arguments) {
            return new Call(architecture.auditArch(), nr, arguments);
        }

        long argument(int index) {
            return arguments[index];
        }

        @Override
        public String toString() {
            return Integer.toHexString(arch) + " " + nr + " " + Arrays.toString(arguments);
        }

        private ByteBuffer data() {
            ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
            data.putInt(0, nr).putInt(4, arch);
            for (int i = 0; i < arguments.length; i++) {
                data.putLong(16 + 8 * i, arguments[i]);
            }
            return data;
        }
    }

    static int verdict(BpfProgram program, Call call) {
        return run(program, call).verdict;
    }

    /** What a program answered, and after how many instructions. */
    record Answer(int verdict, int instructions) {}

    /** Runs the encoded program, as the kernel would: an interpreter that shares nothing with the assembler. */
    static Answer run(BpfProgram program, Call call) {
        ByteBuffer data = call.data();
        ByteBuffer code = ByteBuffer.wrap(program.encode()).order(ByteOrder.LITTLE_ENDIAN);
        int accumulator = 0;
        int at = 0;
        for (int instructions = 1; ; instructions++) {
            int base = at * 8;
            int k = code.getInt(base + 4);
            int whenTrue = code.get(base + 2) & 0xff;
            int whenFalse = code.get(base + 3) & 0xff;
            at++;
            switch (code.getShort(base)) {
                case 0x20 -> accumulator = data.getInt(k);
                case 0x54 -> accumulator &= k;
                case 0x05 -> at += k;
                case 0x45 -> at += (accumulator & k) != 0 ? whenTrue : whenFalse;
                case 0x15 -> at += accumulator == k ? whenTrue : whenFalse;
                case 0x35 -> at += Integer.compareUnsigned(accumulator, k) >= 0 ? whenTrue : whenFalse;
                case 0x06 -> {
                    return new Answer(k, instructions);
                }
                default -> throw new AssertionError("code " + code.getShort(base));
            }
        }
    }
}
