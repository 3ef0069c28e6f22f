package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileDetails;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TrustHandoff;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.result.ExecutionResult;
import dev.sandbox.linux.ControlFolder;
import dev.sandbox.linux.HostFileSystemView;
import dev.sandbox.linux.HostPlaceholder;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import dev.sandbox.linux.ProcessIdentity;
import dev.sandbox.linux.SyscallException;
import dev.sandbox.linux.UnsafePathException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hostile writer swaps folders and links inside a write grant while the sandbox resolves policies, makes folders, gives them away
 * and cleans up. Nothing outside the grant may change: not a byte, mode, owner, time or name. {@code -Draces=200000} is the long form.
 */
@Timeout(1800)
final class RacesIT {
    private static final long SWAPS = Long.getLong("races", 4_000);
    private static final Identity STRANGER = new Identity(61_234, 61_235);
    private static final int LEAST_ROUNDS = 60;
    /** Folders, links and the one of root's change places until a file says stop. */
    private static final String WRITER = """
            import os, random, shutil, sys
            most, outside, root, names = int(sys.argv[1]), sys.argv[2], sys.argv[3] == "true", sys.argv[4:]
            r, done, locked = random.Random(1), 0, "locked"
            while done < most or done % 256 or not os.path.exists("stop"):
                name = r.choice(names)
                if r.random() < 0.3:
                    own = [n for n in os.listdir(".") if n.startswith("sbx-")]
                    name = r.choice(own) + r.choice(["/a", "/a/b0", ""]) if own else name
                try:
                    op = r.randrange(6 if root else 5)
                    # A folder of root's may not come to be the private TMPDIR: the sticky bit of /tmp prevents it.
                    if root and name.startswith("sbx-") and "/" not in name: op = r.choice([0, 2, 3, 4])
                    if op == 0: os.rename(name, "aside%d" % r.randrange(3))
                    elif op == 1: os.rename("aside%d" % r.randrange(3), name)
                    elif op == 2: os.symlink(outside + "/" + name, name)
                    elif op == 3: os.symlink(outside + "/empty", name)
                    elif op == 4: os.mkdir(name)
                    else:
                        os.rename(locked, name)
                        locked = name
                    done += 1
                except OSError:
                    try:
                        if locked == name:
                            os.rename(name, "locked")
                            locked = "locked"
                        elif os.path.islink(name): os.unlink(name)
                        elif r.random() < 0.5: shutil.rmtree(name)
                        else: os.rmdir(name)
                        done += 1
                    except OSError:
                        pass
            print(done)
            """;

    private static final List<String> NAMES = List.of(
            ".cache", ".home", ".tmp", ".local", "made", "made/deep", "made/deep/er", "hold", "hold/a", "x", ".git");

    @TempDir
    private Path folder;

    private final AtomicBoolean enough = new AtomicBoolean();
    private final Map<String, AtomicLong> figures = new TreeMap<>();
    private Path grant = Path.of("/");
    private Path outside = Path.of("/");
    private volatile String said = "";
    private boolean root;

    @BeforeEach
    void makeVictims() throws IOException {
        root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        folder = folder.toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        grant = Files.createDirectory(folder.resolve("grant"));
        outside = Files.createDirectory(folder.resolve("outside"));
        Files.createDirectories(outside.resolve("empty/a/b"));
        Files.createFile(outside.resolve("nothing"));
        // What the sandbox makes and removes, by the names that it uses, so that a link to it would serve.
        for (String name : NAMES) {
            Files.createDirectories(outside.resolve(name));
        }
        Files.createFile(outside.resolve("hold/a/file"));
        Files.writeString(outside.resolve("made/content"), "victim");
        if (root) {
            Files.createDirectory(
                    grant.resolve("locked"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.writeString(grant.resolve("locked/key"), "root's");
            Files.setAttribute(grant, "unix:uid", (int) STRANGER.uid());
        }
    }

    private Map<String, String> victims() throws IOException {
        HostFileSystemView view = new HostFileSystemView(LinuxSyscalls.host());
        Map<String, String> seen = new TreeMap<>();
        try (Stream<Path> all = Files.walk(outside)) {
            for (Path path : all.toList()) {
                String print = view.details()
                        .fingerprint(AbsolutePath.of(path.toString()))
                        .orElseThrow();
                Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
                seen.put(path.toString(), print + " " + owner);
            }
        }
        return seen;
    }

    @Test
    void aWriterThatSwapsFoldersAndLinksLeadsNothingOutsideTheGrant() throws Exception {
        Steps.assumeUsable(BackendName.LANDLOCK);
        Map<String, String> before = victims();
        long start = System.nanoTime();
        List<Thread> others = List.of(new Thread(this::write), new Thread(this::removeTrees), new Thread(this::hold));
        others.forEach(Thread::start);
        open();
        for (Thread other : others) {
            other.join();
        }

        System.out.printf(
                "races: %s swaps in %.1f s against %s%n", said.strip(), (System.nanoTime() - start) / 1e9, figures);
        assertThat(victims()).isEqualTo(before);
        assertThat(outside.resolve("made/content")).hasContent("victim");
        assertThat(Long.parseLong(said.strip())).isGreaterThanOrEqualTo(SWAPS);
        assertThat(figures).containsKeys("opened", "trees removed", "placeholders", "recoveries");
        if (root) {
            assertNothingOfRootsWasGivenAway();
        }
    }

    /** It lies wherever the writer has moved it. */
    private void assertNothingOfRootsWasGivenAway() throws IOException {
        try (Stream<Path> all = Files.walk(grant)) {
            Path key = all.filter(path -> path.endsWith("key")).findFirst().orElseThrow();
            for (Path path : List.of(key, key.getParent())) {
                assertThat(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                        .isEqualTo(0);
            }
        }
    }

    private void count(String what) {
        synchronized (figures) {
            figures.computeIfAbsent(what, name -> new AtomicLong()).incrementAndGet();
        }
    }

    /** The writer is itself a step, under Landlock, as a stranger where that can be: what it leads astray is not its own doing. */
    private void write() {
        List<String> command = new ArrayList<>(
                List.of("python3", "-c", WRITER, String.valueOf(SWAPS), outside.toString(), String.valueOf(root)));
        command.addAll(NAMES);
        SandboxPolicy policy = policy().trustHandoff(TrustHandoff.builder()
                        .protect(TrustHandoff.Protection.NONE)
                        .build())
                .build();
        try {
            ExecutionResult result = Steps.SANDBOX.run(policy, Command.of(command));
            said = result.stdout() + result.stderr();
        } finally {
            enough.set(true);
        }
    }

    private SandboxPolicy.Builder policy() {
        SandboxPolicy.Builder policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(grant.toString()))
                .addWritePaths(".")
                .backend(BackendName.LANDLOCK);
        return root
                ? policy.runAs(new RunAs(OptionalLong.of(STRANGER.uid()), OptionalLong.of(STRANGER.gid())))
                : policy;
    }

    /** Resolution, folders made and given away, and now and then a step that writes into them. */
    private void open() throws IOException {
        SandboxPolicy policy = policy().addWritePaths("made/deep/er").build();
        for (int i = 0; !enough.get(); i++) {
            try (SandboxSession session = Steps.SANDBOX.open(policy)) {
                count("opened");
                if (i % 20 == 0) {
                    session.run(Command.shell(
                            "for d in .cache made/deep/er hold/a .git; do echo x > $d/probe; rm -f $d/content; done"));
                    count("steps");
                }
            } catch (SandboxException refused) {
                count("refused");
            }
            if (i == LEAST_ROUNDS) {
                Files.createFile(folder.resolve("grant/stop"));
            }
        }
    }

    /** As the private TMPDIR is removed. */
    private void removeTrees() {
        NativeHostFiles own = new NativeHostFiles(LinuxSyscalls.host());
        HostFiles files = root ? own.ownedBy(STRANGER) : own;
        FileDetails view = new HostFileSystemView(LinuxSyscalls.host()).details();
        AbsolutePath parent = AbsolutePath.of(grant.toString());
        while (!enough.get()) {
            try {
                AbsolutePath made = files.createTemporary(parent);
                for (int i = 0; i < 100 && view.names(made, 1).isEmpty(); i++) {
                    Thread.onSpinWait(); // until the writer has found it
                }
                files.removeTree(made);
                count("trees removed");
            } catch (UncheckedIOException | SyscallException | UnsafePathException filledOrReplaced) {
                count("trees left");
            }
        }
    }

    /** Placeholders made and removed, and those of a JVM that was killed. */
    private void hold() {
        HostPlaceholders placeholders = new HostPlaceholders(LinuxSyscalls.host());
        AbsolutePath hold = AbsolutePath.of(grant.toString()).resolve("hold");
        List<HostPlaceholder> wanted = List.of(
                new HostPlaceholder(hold, EntryKind.DIRECTORY),
                new HostPlaceholder(hold.resolve("a"), EntryKind.DIRECTORY),
                new HostPlaceholder(hold.resolve("a/file"), EntryKind.FILE));
        while (!enough.get()) {
            try {
                placeholders.hold(wanted).run();
                count("placeholders");
                abandon(wanted);
                assertThat(placeholders.standing()).noneMatch(hold::contains);
                count("recoveries");
            } catch (SandboxException refused) {
                count("placeholders refused");
            }
        }
    }

    /** What a JVM leaves that was killed between its intent and its deed. */
    private static final ProcessIdentity DEAD = new ProcessIdentity(
            999_999_999,
            1,
            ProcessIdentity.self().boot(),
            ProcessIdentity.self().namespace());

    private void abandon(List<HostPlaceholder> wanted) {
        try {
            Path journal = Path.of(ControlFolder.ofThisAccount().records().toString(), "placeholders");
            Files.write(
                    journal.resolve(DEAD.text()),
                    wanted.stream()
                            .map(it -> it.kind().id() + " " + it.path() + " ")
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
