package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.BackendAssessment;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why the proof failed, as settings of the host tell, and a way out that weakens nobody. */
class RefusalsTest {
    private static final String DENIED = "make the namespaces: Operation not permitted (EPERM); nothing ran";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /proc/sys/user/max_user_namespaces | 0 | user namespaces are switched off on this host
            /proc/sys/kernel/unprivileged_userns_clone | 0 | user namespaces are switched off on this host
            /proc/sys/kernel/apparmor_restrict_unprivileged_userns | 1 | AppArmor keeps unprivileged programs from user namespaces
            /proc/self/status | Seccomp:\t2 | a seccomp filter around this process forbids namespaces
            """)
    void aSettingThatForbidsNamespacesIsTheReason(String file, String content, String reason) {
        String text = content.replace("\\t", "\t");
        BackendAssessment assessment = new Refusals(name -> Map.of(file, text).getOrDefault(name, "")).explain(DENIED);
        assertThat(assessment.isUsable()).isFalse();
        assertThat(assessment.detail()).startsWith(reason).contains(DENIED);
        assertThat(assessment.toString()).doesNotContain("sysctl", "echo ", "=0", "=1");
    }

    @Test
    void withoutSeccompAnotherBackendOfThisKernelIsNoWayOut() {
        String failure = "seccomp: Function not implemented (ENOSYS); nothing ran";
        BackendAssessment assessment = new Refusals(name -> "").explain(failure);
        assertThat(assessment.detail()).startsWith("no system call filter can be installed here");
        assertThat(assessment.toString()).contains("allow seccomp(2)").doesNotContain("use landlock");
    }

    @Test
    void aKernelWithoutTheCallsForMountsIsTheReason() {
        String failure = "bind device /dev/full: Function not implemented (ENOSYS); nothing ran";
        BackendAssessment assessment = new Refusals(name -> "").explain(failure);
        assertThat(assessment.detail())
                .startsWith("this kernel, or a filter around this process, does not know")
                .contains("5.12", failure);
        assertThat(assessment.toString()).contains("a kernel from 5.12 on; or use landlock");
    }

    @ParameterizedTest
    @CsvSource({"bind read-only /usr: EPERM, use landlock"})
    void anotherFailureSpeaksForItself(String failure, String remedy) {
        BackendAssessment assessment = new Refusals(name -> "").explain(failure);
        assertThat(assessment.detail()).isEqualTo(failure);
        assertThat(assessment.toString()).contains(remedy);
    }
}
