package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.policy.NetworkPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.mountns.Box.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a step may try on its namespaces, its init and its blocks, by programs that try it. */
class HostileStepIT {
    private static final long LONGEST_PAUSE_NANOS = 8_000_000;
    private static final String PYTHON = "/usr/bin/python3";
    private static final Map<String, String> PATH = Map.of("PATH", "/usr/local/bin:/usr/bin:/bin");

    private final Box box = new Box(Box.backend(Privilege.ofThisProcess()));

    @AfterEach
    void close() {
        box.close();
    }

    private static MountNamespaceBackend backend(Privilege privilege) {
        assumeTrue(
                privilege == Privilege.USER_NAMESPACE || Privilege.ofThisProcess() == Privilege.MOUNTS,
                "needs root: this account has no CAP_SYS_ADMIN");
        return Box.backend(privilege);
    }

    private Result python(MountNamespaceBackend backend, SandboxPolicy policy, String text, String... arguments) {
        assumeTrue(Files.isExecutable(Path.of(PYTHON)), "needs python3");
        Path script = box.file("tool/script.py", text);
        String[] argv = new String[arguments.length + 2];
        argv[0] = PYTHON;
        argv[1] = script.toString();
        System.arraycopy(arguments, 0, argv, 2, arguments.length);
        try (IsolationSession session = backend.open(Box.request(policy, PATH));
                SandboxedProcess process = session.start(StepRequest.piped(Command.of(argv[0], tail(argv))))) {
            return Box.finish(process);
        }
    }

    private static String[] tail(String[] argv) {
        String[] rest = new String[argv.length - 1];
        System.arraycopy(argv, 1, rest, 0, rest.length);
        return rest;
    }

    @ParameterizedTest
    @EnumSource(Privilege.class)
    void theInitGivesAStepNothing(Privilege privilege) {
        String attack = """
                import ctypes, os, signal
                libc = ctypes.CDLL(None, use_errno=True)
                def tried(name, call):
                    try: print(name, 'DONE', call())
                    except OSError: print(name, 'refused')
                for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, 0):
                    tried('kill %d' % number, lambda: os.kill(1, number))
                for name in ('mem', 'environ', 'maps', 'auxv'):
                    tried(name, lambda: len(open('/proc/1/' + name, 'rb').read()) or os.stat('/nonexistent'))
                tried('mem for writing', lambda: os.open('/proc/1/mem', os.O_RDWR))
                for name in ('root/etc/passwd', 'cwd', 'exe', 'fd/0', 'ns/mnt'):
                    tried(name, lambda: os.open('/proc/1/' + name, os.O_RDONLY))
                tried('writing fd 0', lambda: os.open('/proc/1/fd/0', os.O_WRONLY))
                if libc.ptrace(0x4206, 1, 0, 0) == 0: print('ptrace DONE')
                else: print('ptrace refused')
                print(open('/proc/1/cmdline').read())
                """;
        SandboxPolicy policy = box.policy().addReadPaths("tool").build();
        box.file("tool/script.py", "");
        Result result = python(backend(privilege), policy, attack);
        assertThat(result.stdout()).as(result.stderr()).contains("ptrace refused", "kill 9 refused", "sandbox-init");
        assertThat(result.stdout()).doesNotContain("DONE");
    }

    @ParameterizedTest
    @EnumSource(Privilege.class)
    void tenThousandOrphansDisturbNothing(Privilege privilege) {
        String orphans = """
                import os, sys
                for i in range(10000):
                    child = os.fork()
                    if child == 0:
                        if os.fork() == 0: os._exit(0)
                        os._exit(0)
                    os.waitpid(child, 0)
                zombies = 0
                for name in os.listdir('/proc'):
                    if name.isdigit():
                        try: zombies += ' Z ' in open('/proc/' + name + '/stat').read()
                        except OSError: pass
                print('zombies', zombies)
                """;
        box.file("tool/script.py", "");
        Result result =
                python(backend(privilege), box.policy().addReadPaths("tool").build(), orphans);
        assertThat(result.stdout()).matches("zombies [0-3]\\n");
        assertThat(result.code()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Privilege.class)
    void aChildThatLosesItsParentEndsNothing(Privilege privilege) {
        try (Box own = new Box(backend(privilege))) {
            assertThat(own.sh(own.policy().build(), "(sleep 0.2 &); sleep 1; echo done")
                            .stdout())
                    .isEqualTo("done\n");
            assertThat(own.run(
                                    Box.request(own.policy().build(), PATH),
                                    Command.of(
                                            "/bin/bash",
                                            "-c",
                                            "cat <(echo one; (setsid sleep 0.1 &)); sleep 0.4; echo two"))
                            .stdout())
                    .isEqualTo("one\ntwo\n");
        }
    }

    /** A mount is busy in its own namespace alone: without it, the blocked name could be moved away. */
    @ParameterizedTest
    @EnumSource(Privilege.class)
    void aBlockStaysOnWhateverNamespaceAStepMakes(Privilege privilege) throws IOException {
        String attack = """
                import ctypes, os, sys
                libc = ctypes.CDLL(None, use_errno=True)
                folder = sys.argv[1]
                fd = os.open(folder, os.O_PATH | os.O_DIRECTORY)
                for flags in (0x10000000 | 0x20000, 0x20000):
                    print('unshare', libc.unshare(flags))
                    print('tmpfs', libc.mount(b't', b'/tmp', b'tmpfs', 0, None))
                    try: os.rename('secret', 'pub/x', src_dir_fd=fd, dst_dir_fd=fd)
                    except OSError as e: print('rename refused')
                try: print(open(folder + '/pub/x').read())
                except OSError: print('nothing')
                """;
        box.file("w/secret", "secret");
        Files.createDirectories(box.folder.resolve("w/pub"));
        box.file("tool/script.py", "");
        SandboxPolicy policy = box.policy()
                .addReadPaths("tool")
                .addWritePaths("w")
                .addBlockedPaths("w/secret")
                .network(NetworkPolicy.none())
                .build();
        Result result = python(
                backend(privilege), policy, attack, box.folder.resolve("w").toString());
        assertThat(result.stdout()).contains("rename refused", "nothing").doesNotContain("tmpfs 0", "unshare 0");
        assertThat(box.folder.resolve("w/secret")).hasContent("secret");
    }

    /** The other step has no grant on the folder: what it was handed is no grant either. */
    @ParameterizedTest
    @EnumSource(Privilege.class)
    void aDescriptorHandedToAnotherStepLiftsNoBlock(Privilege privilege) throws Exception {
        box.file("w/secret", "secret");
        Files.createDirectories(box.folder.resolve("w/pub"));
        Files.createDirectories(box.folder.resolve("meet"));
        box.file("tool/script.py", "");
        String script = """
                import array, os, socket, sys
                who, folder = sys.argv[1:]
                if who == 'recv':
                    s = socket.socket(socket.AF_UNIX); s.bind('meet/socket'); s.listen(); print('listening', flush=True)
                    c, _ = s.accept()
                    _, anc, _, _ = c.recvmsg(1, socket.CMSG_SPACE(4))
                    fd = array.array('i', anc[0][2])[0]
                    for old in ('secret', './secret'):
                        try: os.rename(old, 'pub/stolen', src_dir_fd=fd, dst_dir_fd=fd); print('RENAMED')
                        except OSError as e: print('refused', e.errno)
                    try: print(os.read(os.open('secret', os.O_RDONLY, dir_fd=fd), 99))
                    except OSError as e: print('refused', e.errno)
                    c.send(b'x')
                else:
                    s = socket.socket(socket.AF_UNIX); s.connect('meet/socket')
                    fd = os.open(folder, os.O_PATH | os.O_DIRECTORY)
                    s.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [fd]))])
                    s.recv(1); print('passed')
                """;
        box.file("tool/script.py", script);
        MountNamespaceBackend backend = backend(privilege);
        String folder = box.folder.resolve("w").toString();
        SandboxPolicy receiving =
                box.policy().addReadPaths("tool").addWritePaths("meet").build();
        SandboxPolicy sending = box.policy()
                .addReadPaths("tool")
                .addWritePaths("meet", "w")
                .addBlockedPaths("w/secret")
                .build();
        try (IsolationSession one = backend.open(Box.request(receiving, PATH));
                SandboxedProcess receiver =
                        one.start(StepRequest.piped(Command.of(PYTHON, "tool/script.py", "recv", folder)))) {
            while (!Files.exists(box.folder.resolve("meet/socket"))) {
                Thread.onSpinWait();
            }
            try (IsolationSession two = backend.open(Box.request(sending, PATH));
                    SandboxedProcess sender =
                            two.start(StepRequest.piped(Command.of(PYTHON, "tool/script.py", "send", folder)))) {
                assertThat(Box.finish(sender).stdout()).isEqualTo("passed\n");
            }
            assertThat(Box.finish(receiver).stdout()).contains("refused").doesNotContain("RENAMED", "secret'");
        }
        assertThat(box.folder.resolve("w/secret")).hasContent("secret");
        assertThat(box.folder.resolve("w/pub/stolen")).doesNotExist();
    }

    /** While one step swaps a granted folder with a link, others either see the folder or are refused. */
    @ParameterizedTest
    @EnumSource(Privilege.class)
    void aGrantIsNeverRedirectedByARace(Privilege privilege) throws Exception {
        MountNamespaceBackend backend = backend(privilege);
        box.file("outside/word", "OUTSIDE");
        box.file("base/w/in/word", "inside");
        Path evil = box.folder.resolve("base/w/evil");
        Files.createSymbolicLink(evil, box.folder.resolve("outside"));
        // What the link leads to is outside of base_dir, so that no way of resolving the policy makes it a grant.
        SandboxPolicy policy = box.policy()
                .baseDir(AbsolutePath.of(box.folder.resolve("base").toString()))
                .addReadPaths("w/in")
                .build();
        AtomicBoolean done = new AtomicBoolean();
        Thread swapper = new Thread(() -> swap(box.folder.resolve("base/w"), done));
        swapper.start();
        int seen = 0;
        int refused = 0;
        try {
            for (int i = 0; i < 200; i++) {
                try {
                    Result result = box(backend, policy);
                    assertThat(result.stdout()).isIn("inside", "");
                    seen += result.stdout().isEmpty() ? 0 : 1;
                } catch (RuntimeException replaced) {
                    assertThat(replaced).isInstanceOf(SandboxException.class);
                    refused++;
                }
            }
        } finally {
            done.set(true);
            swapper.join();
        }
        assertThat(seen).as("%s were refused", refused).isPositive();
    }

    private Result box(MountNamespaceBackend backend, SandboxPolicy policy) {
        try (IsolationSession session = backend.open(Box.request(policy, PATH));
                SandboxedProcess process = session.start(StepRequest.piped(Command.shell("cat w/in/word")))) {
            return Box.finish(process);
        }
    }

    /** The JDK has no exchange: so by three renames, which leave a moment without either name. */
    private static void swap(Path folder, AtomicBoolean done) {
        Path in = folder.resolve("in");
        Path evil = folder.resolve("evil");
        Path aside = folder.resolve("aside");
        try {
            while (!done.get()) {
                Files.move(in, aside);
                Files.move(evil, in);
                Files.move(in, evil);
                Files.move(aside, in);
                // Long enough for a step to start now and then, and short enough to meet others in their midst.
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void withoutTheProgramsOfUtilLinuxNothingIsMissing() {
        // Nothing is looked up by name: the step below would not start if anything were.
        SandboxPolicy policy = box.policy().build();
        Result result =
                box.run(Box.request(policy, Map.of("PATH", "/nonexistent")), Command.of("/bin/sh", "-c", "echo $$"));
        assertThat(result.stdout().trim()).matches("[0-9]+");
    }
}
