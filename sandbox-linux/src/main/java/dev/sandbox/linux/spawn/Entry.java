package dev.sandbox.linux.spawn;

import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;
import java.util.Optional;

/**
 * One line of a program. Its name says what it is for, in words that a message can use: "open /srv/work", "mount proc". Immutable.
 */
public sealed interface Entry {
    /** For messages. */
    String name();

    /** For people: the call as strace(1) would print it. */
    String line();

    /**
     * A system call. The program stops at the first that fails, unless its error is one of those that are no failure here.
     *
     * @param name for messages
     * @param call which
     * @param arguments at most six; what is missing is 0
     * @param result where its result goes, a negative errno included
     * @param tolerated a bit for each errno below 64 that does not stop the program
     */
    record Call(String name, SyscallNumbers call, List<Argument> arguments, Optional<Slot> result, long tolerated)
            implements Entry {
        public Call {
            arguments = List.copyOf(arguments);
            if (arguments.size() > 6) {
                throw new IllegalArgumentException(name + ": a system call has six arguments at most");
            }
        }

        static Call of(String name, SyscallNumbers call, Argument... arguments) {
            return new Call(name, call, List.of(arguments), Optional.empty(), 0);
        }

        Call into(Slot slot) {
            return new Call(name, call, arguments, Optional.of(slot), tolerated);
        }

        Call tolerating(int... errnos) {
            long mask = tolerated;
            for (int errno : errnos) {
                mask |= 1L << errno;
            }
            return new Call(name, call, arguments, result, mask);
        }

        @Override
        public String line() {
            StringBuilder line = new StringBuilder(call.id()).append('(');
            for (int i = 0; i < arguments.size(); i++) {
                line.append(i == 0 ? "" : ", ").append(arguments.get(i));
            }
            line.append(')');
            result.ifPresent(slot -> line.append(" -> ").append(slot));
            if (tolerated != 0) {
                line.append(" unless");
                for (int errno = 1; errno < Long.SIZE; errno++) {
                    if ((tolerated >> errno & 1) != 0) {
                        line.append(' ').append(errno);
                    }
                }
            }
            return line.toString();
        }
    }

    /**
     * Fails unless two words are equal.
     *
     * @param name for messages
     * @param left one
     * @param right the other
     * @param errno what it fails with
     */
    record Compare(String name, Argument left, Argument right, int errno) implements Entry {
        @Override
        public String line() {
            return "compare(" + left + ", " + right + ") or " + errno;
        }
    }

    /**
     * A child that carries out a program of its own on a stack of its own; this one goes on when that one has executed a program or
     * ended. Every clone shares its parent's memory and keeps it waiting (CLONE_VM, CLONE_VFORK), and tells the child's number.
     *
     * @param name for messages
     * @param flags of clone(2) besides those three, the exit signal included
     * @param program what the child does
     * @param pid where its number stands from before it runs, as the parent sees it
     * @param cgroup a descriptor of the cgroup to be born in; this one takes clone3(2)
     */
    record Clone(String name, long flags, SyscallProgram program, Slot pid, Optional<Argument> cgroup)
            implements Entry {
        @Override
        public String line() {
            String into = cgroup.map(fd -> " into cgroup " + fd).orElse("");
            return "clone(0x" + Long.toHexString(flags) + ") -> " + pid + into;
        }
    }
}
