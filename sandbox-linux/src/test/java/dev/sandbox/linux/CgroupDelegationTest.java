package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CgroupDelegationTest {
    private static final String SYSFS = "22 1 0:20 / /sys rw,nosuid - sysfs sysfs rw";

    private static String mount(String root, String point) {
        return "30 22 0:26 " + root + " " + point + " rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate";
    }

    private static void assertOwn(String folder, List<String> mounts, String... memberships) {
        assertThat(CgroupDelegation.parse(mounts, List.of(memberships)).own()).contains(Path.of(folder));
    }

    @Test
    void theUnifiedHierarchy() {
        assertOwn(
                "/sys/fs/cgroup/user.slice/a.service",
                List.of(SYSFS, mount("/", "/sys/fs/cgroup")),
                "0::/user.slice/a.service");
    }

    @Test
    void besideVersionOne() {
        String one = "31 22 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";
        List<String> mounts = List.of(one, mount("/", "/sys/fs/cgroup/unified"));
        assertOwn("/sys/fs/cgroup/unified", mounts, "4:memory:/x", "0::/");
        assertThat(CgroupDelegation.parse(mounts, List.of()).mounts())
                .containsExactly(AbsolutePath.of("/sys/fs/cgroup/unified"));
    }

    @Test
    void aMountThatBeginsBelowTheRoot() {
        List<String> mounts = List.of(mount("/docker/c0ffee", "/sys/fs/cgroup"));
        assertOwn("/sys/fs/cgroup/step", mounts, "0::/docker/c0ffee/step");
        assertOwn("/sys/fs/cgroup", mounts, "0::/docker/c0ffee");
    }

    @Test
    void aMountThatDoesNotShowThisProcess() {
        List<String> mounts = List.of(mount("/docker/c0ffee", "/sys/fs/cgroup"));
        assertThat(CgroupDelegation.parse(mounts, List.of("0::/docker/c0ff")).own())
                .isEmpty();
        assertThat(CgroupDelegation.parse(mounts, List.of("0::/")).own()).isEmpty();
        assertThat(CgroupDelegation.parse(List.of(mount("/", "/c")), List.of("0::/../x"))
                        .own())
                .isEmpty();
    }

    @Test
    void noneAtAll() {
        assertThat(CgroupDelegation.parse(List.of(SYSFS), List.of("0::/")).own())
                .isEmpty();
        assertThat(CgroupDelegation.parse(List.of(mount("/", "/c")), List.of("1:cpu:/"))
                        .own())
                .isEmpty();
    }
}
