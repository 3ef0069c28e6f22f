package dev.sandbox.domain.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.HostDevice;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceDenialsTest {
    private static final String SEMAPHORE = """
            File "/usr/lib/python3.11/multiprocessing/synchronize.py", line 57, in __init__
                sl = self._semlock = _multiprocessing.SemLock(
            PermissionError: [Errno 13] Permission denied
            """;

    private static SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder().baseDir(AbsolutePath.of("/w"));
    }

    private static List<String> fixes(String stderr, SandboxPolicy policy) {
        return DeviceDenials.from(stderr, policy).stream().map(Denial::fix).toList();
    }

    /** As Python, util-linux and expect say it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "OSError: out of pty devices",
                "script: failed to create pseudo-terminal: Permission denied",
                "The system has no more ptys.",
                "posix_openpt: Permission denied",
                "open /dev/ptmx: permission denied"
            })
    void aTerminalThatCouldNotBeMadeIsExplained(String stderr) {
        assertThat(fixes(stderr, policy().build())).containsExactly("host_devices: [pty]");
        assertThat(fixes(stderr, policy().addHostDevices(HostDevice.PTY).build()))
                .isEmpty();
    }

    @Test
    void aSemaphoreThatCouldNotBeMadeIsExplained() {
        assertThat(DeviceDenials.from(SEMAPHORE, policy().build()))
                .singleElement()
                .satisfies(denial -> {
                    assertThat(denial.path()).isEqualTo("/dev/shm");
                    assertThat(denial.operation()).isEqualTo("create");
                    assertThat(denial.rule()).contains("landlock cannot tell the step's own from theirs");
                    assertThat(denial.fix()).isEqualTo("host_devices: [shm]");
                });
        assertThat(fixes(SEMAPHORE, policy().addHostDevices(HostDevice.SHM).build()))
                .isEmpty();
        assertThat(fixes(SEMAPHORE, policy().tmp(TmpMode.HOST).build())).isEmpty();
    }

    /** {@code shm_open("/psm_1")} makes /dev/shm/psm_1. */
    @Test
    void aNameOfSharedMemoryIsNoPath() {
        Denial other = new Denial("/x", "read", Denial.Source.INFERRED, "", "");
        Denial name = new Denial("/psm_1", "read", Denial.Source.INFERRED, "", "");
        String stderr = "PermissionError: [Errno 13] Permission denied: '/psm_1'";
        assertThat(DeviceDenials.with(List.of(name, other), stderr, policy().build()))
                .extracting(Denial::path)
                .containsExactly("/dev/shm", "/x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cat: x: Permission denied", "see sem_open(3)", "a pty"})
    void otherWordsAreNotExplained(String stderr) {
        assertThat(DeviceDenials.from(stderr, policy().build())).isEmpty();
    }
}
