package dev.sandbox.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.SandboxSession;
import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.RunAs;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.linux.HostFileSystemView;
import dev.sandbox.linux.HostPlaceholder;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.NativeHostFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
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
    private static final long SWAPS = Long.getLong("races", 8_000);
    private static final Identity STRANGER = new Identity(61_234, 61_235);
    private static final List<String> NAMES = List.of(
            ".cache", ".home", ".tmp", ".local", "made", "made/deep", "made/deep/er", "hold", "hold/a", "x", ".git");

    @TempDir
    private Path folder;

    private final AtomicLong swaps = new AtomicLong();
    private final AtomicBoolean enough = new AtomicBoolean();
    private final Map<String, AtomicLong> figures = new TreeMap<>();
    private Path grant = Path.of("/");
    private Path outside = Path.of("/");
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
        Map<String, String> before = victims();
        long start = System.nanoTime();
        Thread writer = new Thread(this::swap, "hostile");
        List<Thread> cleaners = List.of(new Thread(this::removeTrees, "trees"), new Thread(this::hold, "placeholders"));
        writer.start();
        cleaners.forEach(Thread::start);
        open();
        writer.join();
        for (Thread cleaner : cleaners) {
            cleaner.join();
        }

        System.out.printf(
                "races: %d swaps in %.1f s against %s%n", swaps.get(), (System.nanoTime() - start) / 1e9, figures);
        assertThat(victims()).isEqualTo(before);
        assertThat(outside.resolve("made/content")).hasContent("victim");
        assertThat(swaps.get()).isGreaterThanOrEqualTo(SWAPS);
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

    private void swap() {
        Random random = new Random(1);
        while (swaps.get() < SWAPS) {
            Path name = grant.resolve(NAMES.get(random.nextInt(NAMES.size())));
            try {
                switch (random.nextInt(6)) {
                    case 0 ->
                        Files.move(name, grant.resolve("aside" + random.nextInt(3)), StandardCopyOption.ATOMIC_MOVE);
                    case 1 ->
                        Files.move(grant.resolve("aside" + random.nextInt(3)), name, StandardCopyOption.ATOMIC_MOVE);
                    case 2 -> Files.createSymbolicLink(name, outside.resolve(grant.relativize(name)));
                    case 3 -> Files.createSymbolicLink(name, outside);
                    case 4 -> Files.createDirectory(name);
                    default -> Files.move(grant.resolve("locked"), name, StandardCopyOption.ATOMIC_MOVE);
                }
                swaps.incrementAndGet();
            } catch (IOException inTheWay) {
                clear(name, random);
            }
        }
        enough.set(true);
    }

    private void clear(Path name, Random random) {
        try {
            if (Files.exists(name.resolve("key")) && !Files.isSymbolicLink(name)) {
                Files.move(name, grant.resolve("locked"), StandardCopyOption.ATOMIC_MOVE);
            } else if (Files.isDirectory(name, LinkOption.NOFOLLOW_LINKS) && random.nextBoolean()) {
                Files.move(
                        name,
                        Files.createDirectory(grant.resolve("old" + random.nextLong())),
                        StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.deleteIfExists(name);
            }
            swaps.incrementAndGet();
        } catch (IOException alsoInTheWay) {
            // The next name, then.
        }
    }

    /** Resolution, folders made and given away, and now and then a step that writes into them. */
    private void open() {
        SandboxPolicy.Builder policy = SandboxPolicy.builder()
                .baseDir(AbsolutePath.of(grant.toString()))
                .addWritePaths(".", "made/deep/er")
                .backend(BackendName.LANDLOCK);
        if (root) {
            policy.runAs(new RunAs(OptionalLong.of(STRANGER.uid()), OptionalLong.of(STRANGER.gid())));
        }
        Steps.assumeUsable(BackendName.LANDLOCK);
        for (int i = 0; !enough.get(); i++) {
            try (SandboxSession session = Steps.SANDBOX.open(policy.build())) {
                count("opened");
                if (i % 20 == 0) {
                    session.run(Command.shell(
                            "for d in .cache made/deep/er hold/a .git; do echo x > $d/probe; rm -f $d/content; done"));
                    count("steps");
                }
            } catch (SandboxException refused) {
                count("refused");
            }
        }
    }

    /** As the private TMPDIR is removed. */
    private void removeTrees() {
        NativeHostFiles own = new NativeHostFiles(LinuxSyscalls.host());
        HostFiles files = root ? own.ownedBy(STRANGER) : own;
        AbsolutePath parent = AbsolutePath.of(grant.toString());
        while (!enough.get()) {
            AbsolutePath made = files.createTemporary(parent);
            Path inside = Path.of(made.toString());
            Thread swapper = new Thread(() -> swapInside(inside));
            swapper.start();
            try {
                files.removeTree(made);
                count("trees removed");
            } catch (UncheckedIOException stillFilled) {
                count("trees left");
            }
            join(swapper);
            files.removeTree(made);
        }
    }

    private void swapInside(Path tree) {
        for (int i = 0; i < 20; i++) {
            try {
                Files.createDirectories(tree.resolve("a/b"));
                Files.move(tree.resolve("a"), tree.resolve("c" + i));
                Files.createSymbolicLink(tree.resolve("a"), outside.resolve("empty/a"));
                Files.delete(tree.resolve("a"));
                swaps.addAndGet(3);
            } catch (IOException removedMeanwhile) {
                swaps.incrementAndGet();
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
                assertThat(placeholders.standing()).isEmpty();
                count("recoveries");
            } catch (SandboxException refused) {
                count("placeholders refused");
            }
        }
    }

    /** What a JVM leaves that was killed between its intent and its deed. */
    private void abandon(List<HostPlaceholder> wanted) {
        try {
            Path journal =
                    Path.of("/tmp/.sandbox-placeholders-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
            if (!Files.isDirectory(journal)) {
                Files.createDirectory(
                        journal, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Files.write(
                    journal.resolve("999999999-1"),
                    wanted.stream()
                            .map(it -> it.kind().id() + " " + it.path() + " ")
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
