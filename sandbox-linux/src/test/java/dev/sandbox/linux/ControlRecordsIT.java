package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.RunningStep;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the records say is checked, never believed: they are forged here in every way, and nothing of the host changes. */
@Timeout(60)
final class ControlRecordsIT {
    private static final LinuxSyscalls SYSCALLS = LinuxSyscalls.host();
    private static final ProcessIdentity SELF = ProcessIdentity.self();
    /** Of a process that is gone. */
    private static final ProcessIdentity DEAD =
            new ProcessIdentity(SELF.pid(), SELF.start() + 1, SELF.boot(), SELF.namespace());

    private static final ProcessIdentity ELSEWHERE = new ProcessIdentity(SELF.pid(), SELF.start(), SELF.boot(), "4711");

    @TempDir
    private Path folder;

    private ControlFolder control;
    private HostPlaceholders placeholders;
    private Path journal;
    private Path outside;

    @BeforeEach
    void make() throws IOException {
        folder = folder.toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        control = ControlFolder.at(folder.resolve("control"));
        placeholders = new HostPlaceholders(SYSCALLS, control);
        journal = Files.createDirectories(control.make().resolve("placeholders"));
        outside = Files.createDirectory(folder.resolve("outside"));
    }

    private static HostPlaceholder file(Path path) {
        return new HostPlaceholder(AbsolutePath.of(path.toString()), EntryKind.FILE);
    }

    private static HostPlaceholder directory(Path path) {
        return new HostPlaceholder(AbsolutePath.of(path.toString()), EntryKind.DIRECTORY);
    }

    @Test
    void aForgedJournalChangesNothingOutside() throws IOException {
        Path empty = Files.createFile(outside.resolve("empty"));
        Path full = Files.writeString(outside.resolve("full"), "text");
        Path dir = Files.createDirectory(outside.resolve("dir"));
        Path link = Files.createSymbolicLink(outside.resolve("link"), empty);
        PlaceholderFiles files = new PlaceholderFiles(SYSCALLS);
        List<String> lines = new ArrayList<>();
        for (Path victim : List.of(
                empty, full, dir, link, outside, folder, Path.of("/tmp"), Path.of("/"), outside.resolve("none"))) {
            String identity = victim.getNameCount() == 0 ? "" : files.identity(AbsolutePath.of(victim.toString()));
            for (String kind : List.of("file", "directory", "symlink")) {
                for (String said : List.of("", identity, "1:2:3", identity + ":9")) {
                    lines.add(kind + " " + OctalText.escape(victim.toString()) + " " + said);
                }
            }
        }
        lines.addAll(List.of(
                "",
                " ",
                "file",
                "file  ",
                "file x ",
                "file /../" + outside + "/empty ",
                "file /a\\000b ",
                "x y z",
                "file \\777\\999 1",
                "file " + "/a".repeat(100_000) + " ",
                "\u0000\u0001\u0080"));
        assertThat(lines).hasSizeGreaterThan(50);
        for (ProcessIdentity owner : List.of(DEAD, ELSEWHERE, SELF)) {
            for (String line : lines) {
                Files.write(journal.resolve(owner.text()), List.of(line), StandardCharsets.UTF_8);
                assertThat(placeholders.standing()).as(line).isEmpty();
                placeholders.hold(List.of(file(outside.resolve("held")))).run();
            }
            Files.deleteIfExists(journal.resolve(owner.text()));
        }

        try (Stream<Path> left = Files.list(outside)) {
            assertThat(left).containsExactlyInAnyOrder(empty, full, dir, link);
        }
        assertThat(full).hasContent("text");
    }

    @Test
    void oneBadLineIsSkippedAndTheOthersCount() throws IOException {
        Path left = outside.resolve("left");
        abandon(left, DEAD, "nonsense\n", "\nfile relative x\n");

        assertThat(placeholders.standing()).isEmpty();

        assertThat(left).doesNotExist();
    }

    /** As a killed JVM leaves it. */
    private void abandon(Path path, ProcessIdentity owner, String before, String after) throws IOException {
        Runnable unused = placeholders.hold(List.of(file(path)));
        Path own = journal.resolve(SELF.text());
        Files.writeString(journal.resolve(owner.text()), before + Files.readString(own) + after);
        Files.delete(own);
        unused.run();
        assertThat(path).exists();
    }

    @Test
    void whatARunInAnotherPidNamespaceNeedsStays() throws IOException {
        Path needed = outside.resolve("needed");
        abandon(needed, ELSEWHERE, "", "");

        placeholders.hold(List.of(file(needed))).run();
        assertThat(placeholders.standing()).containsExactly(AbsolutePath.of(needed.toString()));

        assertThat(needed).exists();
    }

    @Test
    void aPlaceholderGoesWithItsLastHolder() {
        Path path = outside.resolve("deep");
        Runnable first = placeholders.hold(List.of(directory(path), file(path.resolve("f"))));
        Runnable second = placeholders.hold(List.of(directory(path), file(path.resolve("f"))));
        first.run();
        assertThat(path.resolve("f")).exists();
        second.run();
        assertThat(path).doesNotExist();
    }

    @Test
    void aFolderThatAnotherAccountTookIsPassedBy() throws IOException {
        assumeTrue(SYSCALLS.raw().geteuid() == 0, "needs root: only root can make a folder of another account");
        Path taken = Files.createDirectory(folder.resolve("taken"));
        Files.setAttribute(taken, "unix:uid", 61_234);
        assertThat(ControlFolder.at(taken).found()).isEmpty();
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.createDirectory(open.resolve("state"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(ControlFolder.at(open).found()).isEmpty();
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("control"));
        assertThat(ControlFolder.at(link).found()).isEmpty();
    }

    @Test
    void theLedgerTellsWhatRunsUntilItEnds() throws IOException {
        HostLedger ledger = new HostLedger(control);
        ledger.started(new RunningStep(
                7, "sleep 1", BackendName.LANDLOCK, ProcessHandle.current().pid(), Duration.ZERO));
        assertThat(HostLedger.in(control)).singleElement().satisfies(entry -> {
            assertThat(entry.owner()).isEqualTo(ProcessHandle.current().pid());
            assertThat(entry.step().command()).isEqualTo("sleep 1");
        });
        ledger.ended(7);
        assertThat(HostLedger.in(control)).isEmpty();
    }

    @Test
    void aHugeOrForgedLedgerIsReadWithinBounds() throws IOException {
        Path running = Files.createDirectories(control.make().resolve("running"));
        String good = "+1 landlock " + SELF.pid() + " 0 true\n";
        try (RandomAccessFile huge =
                new RandomAccessFile(running.resolve(SELF.text() + ".1").toFile(), "rw")) {
            huge.writeBytes(good);
            huge.setLength(6L << 30); // sparse
        }
        Files.writeString(
                running.resolve(SELF.text() + ".2"), "junk\n+\n+x y z\n+1 nobackend 1 1 x\n+9 docker x y z\n" + good);
        Files.writeString(running.resolve(DEAD.text() + ".3"), good);
        Files.writeString(running.resolve(ELSEWHERE.text() + ".4"), good);
        Files.createSymbolicLink(running.resolve(SELF.text() + ".5"), running.resolve(SELF.text() + ".2"));
        Files.createDirectory(running.resolve(SELF.text() + ".6"));

        assertThat(HostLedger.in(control))
                .hasSize(2)
                .allMatch(entry -> entry.step().id() == 1);

        assertThat(running.resolve(DEAD.text() + ".3")).doesNotExist();
        assertThat(running.resolve(ELSEWHERE.text() + ".4")).exists();
    }
}
