package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.ConfinedSpawn;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import dev.sandbox.linux.RawSyscalls;
import dev.sandbox.linux.landlock.LandlockAbi;
import dev.sandbox.linux.uapi.Architecture;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On kernels whose Landlock is older, or that have none: what lay below the mounts there is made up for, or refused. */
final class OlderKernelIT {
    private static final String PYTHON = "/usr/bin/python3";
    private static final Map<String, String> PATH = Map.of("PATH", "/usr/local/bin:/usr/bin:/bin");
    private static final int VERSION = 1;
    private static final int ENOSYS = 38;
    private static final int NONE = 0;

    private final Box box = new Box(kernelOf(NONE));

    /** It asks Landlock for no more than its ABI has, so that a step runs over that ABI. */
    private static MountNamespaceBackend kernelOf(int abi) {
        assumeTrue(
                abi == NONE
                        || LandlockAbi.query(LinuxSyscalls.host())
                                .filter(own -> own.atLeast(abi))
                                .isPresent(),
                "needs Landlock ABI " + abi);
        LinuxSyscalls syscalls = new LinuxSyscalls(new RawSyscalls() {
            @Override
            public int landlockCreateRuleset(long attributes, long size, int flags) {
                return flags == VERSION && abi > NONE ? abi : -ENOSYS;
            }
        });
        return new MountNamespaceBackend(
                syscalls,
                Box.HOST,
                new NativeHostFiles(LinuxSyscalls.host()),
                Privilege.ofThisProcess(),
                ConfinedSpawn::new);
    }

    @BeforeEach
    void needsPython() {
        assumeTrue(Files.isExecutable(Path.of(PYTHON)), "needs python3");
    }

    @AfterEach
    void close() {
        box.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {NONE, 1, 2, 3, 4, 5, 6})
    void itProvesItselfAndSaysWhatLiesBelow(int abi) {
        BackendAssessment assessment = kernelOf(abi).assess();

        assertThat(assessment.isUsable()).as(assessment.detail()).isTrue();
        assertThat(assessment.detail()).contains(abi == NONE ? "no Landlock below" : "over Landlock ABI " + abi + ";");
        assertThat(assessment.promise(Guarantee.FS_CARVE_OUT).isHeld()).isTrue();
    }

    /**
     * A mask is busy in its own mount namespace alone. Where no Landlock in its domain keeps another step from renaming it away by a
     * descriptor of the folder, no descriptor may reach another step.
     */
    @ParameterizedTest
    @ValueSource(ints = {NONE, 1, 6})
    @SuppressWarnings("try") // the receiver is there to be spoken to
    void aDescriptorHandedToAnotherStepLiftsNoBlock(int abi) throws IOException {
        box.file("w/secret", "secret");
        Files.createDirectories(box.folder.resolve("w/pub"));
        Files.createDirectories(box.folder.resolve("meet"));
        box.file("tool/receive.py", """
                import array, os, socket
                s = socket.socket(socket.AF_UNIX); s.bind('meet/socket'); s.listen(); print('listening', flush=True)
                c, _ = s.accept()
                _, anc, _, _ = c.recvmsg(1, socket.CMSG_SPACE(4))
                fd = array.array('i', anc[0][2])[0]
                try: os.rename('secret', 'pub/stolen', src_dir_fd=fd, dst_dir_fd=fd); print('RENAMED')
                except OSError as e: print('refused', e.errno)
                c.send(b'x')
                """);
        box.file("tool/send.py", """
                import array, os, socket, sys
                s = socket.socket(socket.AF_UNIX); s.connect('meet/socket')
                fd = os.open(sys.argv[1], os.O_PATH | os.O_DIRECTORY)
                s.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [fd]))])
                s.recv(1); print(open(sys.argv[1] + '/pub/stolen').read())
                """);
        SandboxPolicy receiving =
                box.policy().addReadPaths("tool").addWritePaths("meet").build();
        SandboxPolicy sending = box.policy()
                .addReadPaths("tool")
                .addWritePaths("meet", "w")
                .addBlockedPaths("w/secret")
                .build();
        MountNamespaceBackend backend = kernelOf(abi);
        String folder = box.folder.resolve("w").toString();
        try (IsolationSession one = backend.open(Box.request(receiving, PATH));
                SandboxedProcess receiver = one.start(StepRequest.piped(Command.of(PYTHON, "tool/receive.py")));
                IsolationSession two = backend.open(Box.request(sending, PATH))) {
            while (!Files.exists(box.folder.resolve("meet/socket"))) {
                Thread.onSpinWait();
            }
            try (SandboxedProcess sender = two.start(StepRequest.piped(Command.of(PYTHON, "tool/send.py", folder)))) {
                assertThat(Box.finish(sender).stdout()).doesNotContain("secret");
            }
        }
        assertThat(box.folder.resolve("w/secret")).hasContent("secret");
        assertThat(box.folder.resolve("w/pub/stolen")).doesNotExist();
    }

    /** Its folder by a descriptor, a root of its own, and no mount of the old one is in its namespace: the mask is busy no more. */
    @ParameterizedTest
    @ValueSource(ints = {NONE, 1, 6})
    void namespacesOfItsOwnLiftNoBlock(int abi) throws IOException {
        box.file("w/secret", "secret");
        Files.createDirectories(box.folder.resolve("w/pub"));
        box.file("tool/leave.py", """
                import ctypes, os, sys
                libc = ctypes.CDLL(None)
                fd = os.open(sys.argv[1], os.O_PATH | os.O_DIRECTORY)
                print('unshare', libc.unshare(0x10000000 | 0x20000))
                libc.mount(b't', b'/tmp', b'tmpfs', 0, None)
                os.chdir('/tmp')
                libc.syscall(%d, b'.', b'.')
                libc.umount2(b'.', 2)
                try: os.rename('secret', 'pub/x', src_dir_fd=fd, dst_dir_fd=fd); print('RENAMED')
                except OSError as e: print('refused', e.errno)
                """.formatted(SyscallNumbers.PIVOT_ROOT.on(Architecture.host())));
        SandboxPolicy policy = box.policy()
                .addReadPaths("tool")
                .addWritePaths("w")
                .addBlockedPaths("w/secret")
                .userNamespaces(UserNamespaces.ALLOW)
                .build();
        Command leave =
                Command.of(PYTHON, "tool/leave.py", box.folder.resolve("w").toString());
        if (abi == NONE) {
            assertThatThrownBy(() -> step(kernelOf(abi), policy, leave))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("user_namespaces")
                    .hasMessageContaining("no Landlock")
                    .hasMessageContaining("remove user_namespaces: allow");
        } else {
            assertThat(step(kernelOf(abi), policy, leave).stdout()).startsWith("unshare 0\nrefused ");
        }
        assertThat(box.folder.resolve("w/secret")).hasContent("secret");
    }

    private static Box.Result step(MountNamespaceBackend backend, SandboxPolicy policy, Command command) {
        try (IsolationSession session = backend.open(Box.request(policy, PATH));
                SandboxedProcess step = session.start(StepRequest.piped(command))) {
            return Box.finish(step);
        }
    }
}
