package dev.sandbox.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.linux.Children;
import dev.sandbox.linux.Confinement;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No way makes a set-uid program, and the ways that programs live by are left, on real children. */
final class FileRulesIT {
    private static final String PYTHON = "/usr/bin/python3";
    private static final String GIT = "/usr/bin/git";
    /** {@code call} is by number, past whatever the C library does; -1 where this architecture has no such call. */
    private static final String TOOLS = """
            import ctypes, errno, os, struct, sys, tempfile
            libc = ctypes.CDLL(None, use_errno=True)
            def call(name, number, *arguments):
                if number < 0: return
                done = libc.syscall(number, *[a if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments])
                print(name, 'done' if done >= 0 else errno.errorcode[ctypes.get_errno()])
            os.chdir(sys.argv[1])
            open('plain', 'w').close(); os.mkdir('folder'); plain = os.open('plain', os.O_RDWR)
            """;

    @TempDir
    private Path folder;

    private String python(String text) {
        assumeTrue(Files.isExecutable(Path.of(PYTHON)), "needs python3");
        Children.Outcome outcome = run(PYTHON, "-c", TOOLS + text, folder.toString());
        assertThat(outcome.err()).isEmpty();
        return outcome.out();
    }

    private static Children.Outcome run(String program, String... arguments) {
        return Children.run(Children.program(program, arguments)
                .confinement(Confinement.builder()
                        .privileges(Confinement.Privileges.INHERITED)
                        .filter(Filters.usual())
                        .build()));
    }

    private static int number(SyscallNumbers call) {
        return call.on(Architecture.host());
    }

    @Test
    void noWayMakesASetUidFile() throws IOException {
        String said = python("""
                for mode, name in (0o4755, 'uid'), (0o6755, 'both'), (0o10000004755, 'high'):
                    call('chmod ' + name, %d, b'plain', mode)
                    call('fchmod ' + name, %d, plain, mode)
                    call('fchmodat ' + name, %d, -100, b'plain', mode)
                    call('fchmodat2 ' + name, %d, -100, b'plain', mode, 0)
                for mode, name in (0o4755, 'uid'), (0o2755, 'gid'), (0o6755, 'both'):
                    call('open ' + name, %d, b'new', os.O_CREAT | os.O_WRONLY, mode)
                    call('openat ' + name, %d, -100, b'new', os.O_CREAT | os.O_WRONLY, mode)
                    call('unnamed ' + name, %d, -100, b'.', os.O_TMPFILE | os.O_WRONLY, mode)
                    call('creat ' + name, %d, b'new', mode)
                    call('mknod ' + name, %d, b'new', 0o100000 | mode, 0)
                    call('mknodat ' + name, %d, -100, b'new', 0o100000 | mode, 0)
                how = struct.pack('QQQ', os.O_CREAT | os.O_WRONLY, 0o4755, 0)
                call('openat2', %d, -100, b'new', how, len(how))
                """.formatted(
                        number(SyscallNumbers.CHMOD),
                        number(SyscallNumbers.FCHMOD),
                        number(SyscallNumbers.FCHMODAT),
                        number(SyscallNumbers.FCHMODAT2),
                        number(SyscallNumbers.OPEN),
                        number(SyscallNumbers.OPENAT),
                        number(SyscallNumbers.OPENAT),
                        number(SyscallNumbers.CREAT),
                        number(SyscallNumbers.MKNOD),
                        number(SyscallNumbers.MKNODAT),
                        number(SyscallNumbers.OPENAT2)));
        assertThat(said.lines().filter(line -> !line.endsWith(" EPERM"))).containsExactly("openat2 ENOSYS");
        assertThat(said.lines()).hasSizeGreaterThanOrEqualTo(16);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("plain", "folder");
        }
        assertThat((int) Files.getAttribute(folder.resolve("plain"), "unix:mode") & 06000)
                .isZero();
    }

    @Test
    void ordinaryModesAndFoldersOfAGroupAreLeft() {
        assertThat(python("""
                os.chmod('plain', 0o755); os.fchmod(plain, 0o644)
                os.chmod('folder', 0o2775); print(oct(os.stat('folder').st_mode))
                os.chmod('folder', 0o1777); print(oct(os.stat('folder').st_mode))
                os.close(os.open('made', os.O_CREAT | os.O_WRONLY, 0o755))
                os.mkfifo('pipe', 0o600)
                tempfile.TemporaryFile(dir='.').close()
                call('a mode that nobody looks at', %d, -100, b'plain', os.O_RDONLY, 0o7777)
                """.formatted(number(SyscallNumbers.OPENAT))).lines())
                .containsExactly("0o42775", "0o41777", "a mode that nobody looks at done");
    }

    @Test
    void gitSharesARepositoryAndUsesIt() throws IOException {
        assumeTrue(Files.isExecutable(Path.of(GIT)), "needs git");
        String repository = folder.resolve("shared.git").toString();
        Children.Outcome outcome = run("/bin/sh", "-ec", """
                export HOME=$0 GIT_CONFIG_NOSYSTEM=1
                git init --quiet --bare --shared "$1"
                git clone --quiet "$1" "$0/clone" 2>/dev/null
                cd "$0/clone"
                git -c user.name=n -c user.email=e@x commit --quiet --allow-empty -m first
                git push --quiet origin HEAD
                git -C "$1" rev-list --count --all
                """, folder.toString(), repository);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).isEqualTo("1\n");
        assertThat((int) Files.getAttribute(Path.of(repository, "objects"), "unix:mode") & 02070)
                .as("g+s and writable by the group")
                .isEqualTo(02070);
    }

    /** FS_IOC_SETFLAGS and FS_IOC_FSSETXATTR; reading the flags is left. */
    @Test
    void flagsOfFilesAreReadAndNotChanged() {
        String said = python("""
                import fcntl
                def ioctl(name, request):
                    try: fcntl.ioctl(plain, request, bytes(64)); print(name, 'done')
                    except OSError as e: print(name, errno.errorcode[e.errno])
                ioctl('set', 0x40086602); ioctl('set32', 0x40046602); ioctl('version', 0x40087602); ioctl('xattr', 0x401c5820)
                ioctl('get', 0x80086601)
                """);
        assertThat(said.lines()).startsWith("set EPERM", "set32 EPERM", "version EPERM", "xattr EPERM");
        // A file system without flags says ENOTTY or EOPNOTSUPP.
        assertThat(said).doesNotContain("get EPERM");
    }

    @Test
    void inotifyIsLeft() {
        assertThat(python("""
                fd = libc.inotify_init1(0)
                assert libc.inotify_add_watch(fd, b'.', 0x100) > 0
                open('seen', 'w').close()
                print(os.read(fd, 4096).count(b'seen'))
                """)).isEqualTo("1\n");
    }
}
