package dev.sandbox.linux.seccomp;

import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;

/**
 * One thing that a step may not ask of the kernel. The filter, the plan's text, the container profile and the table of the documents
 * all come from these.
 *
 * @param name for people and machines, for example {@code io_uring}
 * @param denies what it denies, for people
 * @param refusal what the caller gets
 * @param why the reason, in a line
 * @param when which filters have it
 * @param calls the system calls; none when it is about whole ABIs
 * @param cases the call is denied when all tests of one case hold; no case means always
 */
public record HardeningRule(
        String name,
        String denies,
        Refusal refusal,
        String why,
        When when,
        List<SyscallNumbers> calls,
        List<List<ArgumentTest>> cases) {
    /** Which filters have a rule. */
    public enum When {
        ALWAYS("always"),
        NETWORK_NONE("`network: none`, landlock"),
        NETWORK_TCP("`network: {tcp_...}`, landlock"),
        UNIX_SCOPE("`require: [unix.scope]`"),
        USER_NAMESPACES_DENIED("`user_namespaces: deny`");

        private final String text;

        When(String text) {
            this.text = text;
        }

        /** For the documents. */
        public String text() {
            return text;
        }
    }

    public HardeningRule {
        calls = List.copyOf(calls);
        cases = cases.stream().map(List::copyOf).toList();
    }

    /** For plans: {@code deny io_uring (EPERM): every io_uring call}. */
    public String line() {
        return "deny " + name + " (" + refusal + "): " + denies;
    }
}
