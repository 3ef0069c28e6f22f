package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.LinuxSyscalls;
import java.lang.reflect.Proxy;
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

    /** As on a root that may only be read. What another part refuses is told with that part's way out. */
    @Test
    void withoutAPlaceForTheProofTheVariableThatGivesOneIsNamed() {
        HostFiles nowhere = (HostFiles) Proxy.newProxyInstance(
                HostFiles.class.getClassLoader(), new Class<?>[] {HostFiles.class}, (proxy, method, arguments) -> {
                    throw new SandboxUnavailableException(
                            "TMPDIR", "no temporary folder can be made", "let TMPDIR name one");
                });
        BackendAssessment assessment = new MountNamespaceBackend(LinuxSyscalls.host(), Box.HOST, nowhere).assess();
        assertThat(assessment.isUsable()).isFalse();
        assertThat(assessment.detail()).isEqualTo("no temporary folder can be made");
        assertThat(assessment.promise(Guarantee.FS_READ).remedy()).contains("let TMPDIR name one");
    }

    @ParameterizedTest
    @CsvSource({"bind read-only /usr: EPERM, use landlock"})
    void anotherFailureSpeaksForItself(String failure, String remedy) {
        BackendAssessment assessment = new Refusals(name -> "").explain(failure);
        assertThat(assessment.detail()).isEqualTo(failure);
        assertThat(assessment.toString()).contains(remedy);
    }
}
