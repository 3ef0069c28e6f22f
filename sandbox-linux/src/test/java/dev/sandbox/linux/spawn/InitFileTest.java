package dev.sandbox.linux.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sandbox.linux.Errno;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeArena;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.Memfd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class InitFileTest {
    private static final RawSyscalls RAW = RawSyscalls.host();

    /** A kernel whose calls fail as one of these says. */
    private abstract static class Failing extends RawSyscalls {
        final List<Integer> flags = new ArrayList<>();

        abstract int refuse(int wanted);

        @Override
        public int memfdCreate(long name, int wanted) {
            flags.add(wanted);
            int refusal = refuse(wanted);
            return refusal != 0 ? refusal : super.memfdCreate(name, wanted);
        }
    }

    /** Of the init's files; this JVM opens and closes others meanwhile. */
    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(InitFileTest::isInit).count();
        }
    }

    private static boolean isInit(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("/memfd:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    private static Path path(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    @Test
    void itIsOneForTheJvmAndOnlyNamesTheFile() throws IOException {
        int descriptor = InitFile.ofThisJvm().descriptor().number();
        assertThat(InitFile.ofThisJvm().descriptor().number()).isEqualTo(descriptor);
        assertThat(RAW.fcntl(descriptor, Fcntl.F_GETFL, 0) & Fcntl.O_PATH).isEqualTo(Fcntl.O_PATH);
        assertThat(RAW.fcntl(descriptor, Fcntl.F_GETFD, 0)).as("FD_CLOEXEC").isEqualTo(1);
        assertThat((int) Files.getAttribute(path(descriptor), "unix:mode") & 07777)
                .isEqualTo(0111);
    }

    /** Root may open anything by its capabilities, but the seals hold for root too. */
    @Test
    void nobodyChangesIt() {
        int descriptor = InitFile.ofThisJvm().descriptor().number();
        try (NativeArena arena = new NativeArena()) {
            long bytes = arena.bytes(new byte[] {1, 2, 3, 4});
            assertThat(RAW.write(descriptor, bytes, 4)).isEqualTo(-Errno.EBADF.number());
            int writable = RAW.openat(
                    Fcntl.AT_FDCWD, arena.string(path(descriptor).toString()), Fcntl.O_RDWR | Fcntl.O_CLOEXEC, 0);
            if (writable < 0) {
                assertThat(writable).isEqualTo(-Errno.EACCES.number());
                return;
            }
            assertThat(RAW.write(writable, bytes, 4)).isEqualTo(-Errno.EPERM.number());
            assertThat(RAW.fcntl(writable, Fcntl.F_GET_SEALS, 0) & 0xf).isEqualTo(0xf);
            assertThat(RAW.fcntl(writable, Fcntl.F_ADD_SEALS, 0)).isEqualTo(-Errno.EPERM.number());
            RAW.close(writable);
        }
    }

    @Test
    void aKernelWithoutTheFlagIsAskedWithoutIt() throws IOException {
        long before = descriptors();
        Failing old = new Failing() {
            @Override
            int refuse(int wanted) {
                return (wanted & Memfd.MFD_EXEC) != 0 ? -Errno.EINVAL.number() : 0;
            }
        };
        InitFile file = new InitFile(new LinuxSyscalls(old));
        try (var descriptor = file.descriptor()) {
            assertThat(descriptor.isOpen()).isTrue();
        }
        assertThat(old.flags).containsExactly(0x13, 0x3);
        assertThat(descriptors()).isEqualTo(before);
    }

    @Test
    void aHostThatForbidsItIsToldInWords() {
        Failing forbidding = new Failing() {
            @Override
            int refuse(int wanted) {
                return -Errno.EACCES.number();
            }
        };
        assertThatThrownBy(() -> new InitFile(new LinuxSyscalls(forbidding)).descriptor())
                .isInstanceOfSatisfying(
                        InitUnavailableException.class,
                        e -> assertThat(e.remedy()).contains("vm.memfd_noexec=1"))
                .hasMessageContaining("vm.memfd_noexec is 2");
        assertThat(forbidding.flags).as("no weaker way is tried").containsExactly(0x13);
    }

    @Test
    void whateverFailsNothingStaysOpen() throws IOException {
        long before = descriptors();
        List<RawSyscalls> kernels = List.of(
                new RawSyscalls() {
                    @Override
                    public long write(int fd, long buffer, long size) {
                        return -Errno.EIO.number();
                    }
                },
                new RawSyscalls() {
                    @Override
                    public int fchmod(int fd, int mode) {
                        return -Errno.EPERM.number();
                    }
                },
                new RawSyscalls() {
                    @Override
                    public int fcntl(int fd, int command, long argument) {
                        return command == Fcntl.F_ADD_SEALS
                                ? -Errno.EINVAL.number()
                                : super.fcntl(fd, command, argument);
                    }
                },
                new RawSyscalls() {
                    @Override
                    public int openat(int directory, long path, int flags, int mode) {
                        return -Errno.ENOENT.number();
                    }
                });
        for (RawSyscalls kernel : kernels) {
            assertThatThrownBy(() -> new InitFile(new LinuxSyscalls(kernel)).descriptor())
                    .isInstanceOf(InitUnavailableException.class);
        }
        assertThat(descriptors()).isEqualTo(before);
    }
}
