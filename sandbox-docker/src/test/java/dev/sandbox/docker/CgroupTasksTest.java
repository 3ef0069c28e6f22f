package dev.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CgroupTasksTest {
    @Test
    void theCounterLiesInTheContainersPidsCgroup() {
        assertThat(CgroupTasks.candidates("c0ffee", List.of("12:cpu,cpuacct:/docker/c0ffee", "9:pids:/docker/c0ffee")))
                .containsExactly(Path.of("/sys/fs/cgroup/pids/docker/c0ffee"));
        assertThat(CgroupTasks.candidates("c0ffee", List.of("0::/system.slice/docker-c0ffee.scope")))
                .containsExactly(Path.of("/sys/fs/cgroup/system.slice/docker-c0ffee.scope"));
    }

    @Test
    void aProcessThatIsNotTheContainersSaysNothing() {
        assertThat(CgroupTasks.candidates("c0ffee", List.of("9:pids:/", "0::/user.slice")))
                .isEmpty();
        assertThat(CgroupTasks.of("c0ffee", ProcessHandle.current().pid()).hasExactly(2))
                .isFalse();
    }
}
