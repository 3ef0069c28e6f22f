package dev.sandbox.domain.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.OnMissing;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.policy.TmpMode;
import dev.sandbox.domain.problem.PolicyInvalidException;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.testkit.FakeFileSystem;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyResolverTest {
    private final FakeFileSystem files = FakeFileSystem.linux()
            .file("/w/src/main.py")
            .file("/w/file")
            .directory("/w/out")
            .directory("/w/releases/1")
            .symlink("/w/current", "releases/1")
            .symlink("/w/escape", "../home/user")
            .symlink("/w/dangling", "nothing")
            .symlink("/w/loop", "loop")
            .directory("/data/set")
            .symlink("/data/link", "/data/set")
            .socket("/data/socket")
            .directory("/data/closed")
            .denied("/data/closed/inner");

    private ResolvedPolicy resolve(UnaryOperator<SandboxPolicy.Builder> change) {
        return PolicyResolver.resolve(policy(change), Host.standard(files));
    }

    private static SandboxPolicy policy(UnaryOperator<SandboxPolicy.Builder> change) {
        return change.apply(SandboxPolicy.builder().baseDir(AbsolutePath.of("/w")))
                .build();
    }

    private List<Problem> problems(UnaryOperator<SandboxPolicy.Builder> change) {
        PolicyInvalidException refused = catchThrowableOfType(PolicyInvalidException.class, () -> resolve(change));
        assertThat(refused).as("the policy must be refused").isNotNull();
        assertThat(refused.getMessage()).startsWith("POLICY_INVALID: ").doesNotContain("\n");
        return refused.problems();
    }

    private Problem problem(UnaryOperator<SandboxPolicy.Builder> change) {
        List<Problem> problems = problems(change);
        assertThat(problems).hasSize(1);
        return problems.get(0);
    }

    private static List<String> rules(ResolvedPolicy resolved, Access access) {
        return resolved.rules().stream()
                .filter(rule -> rule.access() == access)
                .filter(rule -> !List.of(RuleSource.BASELINE, "proc")
                        .contains(rule.source().key()))
                .map(rule -> rule.kind().id() + " " + rule.path())
                .toList();
    }

    @Test
    void theEmptyPolicyGivesTheBaselineAlone() {
        ResolvedPolicy resolved = resolve(b -> b.proc(ProcAccess.NONE));
        assertThat(resolve(b -> b).rules()).hasSize(resolved.rules().size() + 1);
        assertThat(resolved.rules()).allMatch(rule -> rule.source().key().equals(RuleSource.BASELINE));
        assertThat(resolved.rules()).noneMatch(rule -> rule.access() == Access.WRITE);
        assertThat(resolved.workDir()).hasToString("/w");
        assertThat(resolved.cacheBase()).isEmpty();
        assertThat(resolved.tmpBase()).isEmpty();
    }

    @Test
    void aMissingReadGrantIsSkippedWithANote() {
        ResolvedPolicy resolved = resolve(b -> b.addReadPaths("src", "no/such"));
        assertThat(rules(resolved, Access.READ)).containsExactly("directory /w/src");
        assertThat(resolved.skipped())
                .extracting(SkippedGrant::note)
                .containsExactly("read_paths[1] \"no/such\" skipped: it does not exist");
        assertThat(resolved.directoriesToCreate()).isEmpty();
    }

    @Test
    void aReadGrantThatThisAccountMayNotStatIsSkippedWithANote() {
        ResolvedPolicy resolved = resolve(b -> b.addReadPaths("/data/closed/inner/x"));
        assertThat(rules(resolved, Access.READ)).isEmpty();
        assertThat(resolved.skipped())
                .singleElement()
                .satisfies(grant -> assertThat(grant.note()).contains("may not look"));
    }

    @Test
    void aMissingWriteGrantIsCreatedWithItsParentsOutermostFirst() {
        ResolvedPolicy resolved = resolve(b -> b.addWritePaths("new/deep/er"));
        assertThat(rules(resolved, Access.WRITE)).containsExactly("directory /w/new/deep/er");
        assertThat(resolved.directoriesToCreate())
                .extracting(AbsolutePath::toString)
                .containsExactly("/w/new", "/w/new/deep", "/w/new/deep/er");
    }

    @Test
    void aMissingWriteGrantThroughALinkedFolderIsCreatedWhereTheLinkLeads() {
        ResolvedPolicy resolved = resolve(b -> b.addWritePaths("current/out"));
        assertThat(rules(resolved, Access.WRITE)).containsExactly("directory /w/releases/1/out");
        assertThat(resolved.directoriesToCreate())
                .extracting(AbsolutePath::toString)
                .containsExactly("/w/releases/1/out");
    }

    @Test
    void aMissingAbsoluteWriteGrantOutsideBaseDirIsRefused() {
        assertThat(problem(b -> b.addWritePaths("/data/new")).line())
                .contains("write_paths[0]", "/data/new", "outside base_dir");
    }

    @Test
    void aMissingAbsoluteWriteGrantOutsideBaseDirIsCreatedWhenAskedFor() {
        ResolvedPolicy resolved = resolve(b -> b.addWritePaths("/data/new").onMissing(OnMissing.CREATE));
        assertThat(rules(resolved, Access.WRITE)).containsExactly("directory /data/new");
        assertThat(resolved.directoriesToCreate()).containsExactly(AbsolutePath.of("/data/new"));
    }

    @Test
    void aWriteGrantBelowAFileCannotBeCreatedAndIsRefused() {
        assertThat(problem(b -> b.addWritePaths("file/sub")).line()).contains("write_paths[0]", "/w/file", "directory");
    }

    @Test
    void aDanglingLinkIsNotCreated() {
        assertThat(problem(b -> b.addWritePaths("dangling")).line()).contains("write_paths[0]", "symbolic link");
    }

    @ParameterizedTest
    @CsvSource({
        "SKIP, false, 0, 2",
        "CREATE, false, 2, 0",
        "REFUSE, true, 0, 0",
    })
    void onMissingSaysWhatBecomesOfReadAndWriteGrantsAlike(OnMissing mode, boolean refused, int created, int skipped) {
        UnaryOperator<SandboxPolicy.Builder> change =
                b -> b.addReadPaths("no-read").addWritePaths("no-write").onMissing(mode);
        if (refused) {
            assertThat(problems(change)).extracting(Problem::where).containsExactly("write_paths[0]", "read_paths[0]");
        } else {
            assertThat(resolve(change).directoriesToCreate()).hasSize(created);
            assertThat(resolve(change).skipped()).hasSize(skipped);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "REFUSE"})
    void aWriteGrantThatThisAccountMayNotStatIsRefusedUnlessSkippingIsAskedFor(OnMissing mode) {
        assertThat(problem(b -> b.addWritePaths("/data/closed/inner")).where()).isEqualTo("write_paths[0]");
        assertThat(problem(b -> b.addWritePaths("/data/closed/inner").onMissing(mode))
                        .where())
                .isEqualTo("write_paths[0]");
        assertThat(resolve(b -> b.addWritePaths("/data/closed/inner").onMissing(OnMissing.SKIP))
                        .skipped())
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(OnMissing.class)
    void aMissingBlockIsEnforcedWhateverOnMissingSays(OnMissing mode) {
        ResolvedPolicy resolved = resolve(b -> b.addBlockedPaths("out/secret").onMissing(mode));
        assertThat(rules(resolved, Access.BLOCKED)).containsExactly("missing /w/out/secret");
        assertThat(resolved.directoriesToCreate()).isEmpty();
    }

    @Test
    void duplicateNestedAndOtherwiseSpelledGrantsAreHarmless() {
        ResolvedPolicy resolved = resolve(b -> b.addWritePaths("out", "./out//", "/w/out", "/w/./out/", ".")
                .addReadPaths("out", "src", "src/main.py"));
        assertThat(rules(resolved, Access.WRITE)).containsExactly("directory /w", "directory /w/out");
        assertThat(rules(resolved, Access.READ))
                .containsExactly("directory /w/out", "directory /w/src", "file /w/src/main.py");
    }

    @ParameterizedTest
    @CsvSource({
        "current, directory /w/releases/1",
        "/data/link, directory /data/set",
        "/data/socket, socket /data/socket"
    })
    void aGrantThatIsALinkGrantsItsTarget(String written, String rule) {
        assertThat(rules(resolve(b -> b.addReadPaths(written)), Access.READ)).containsExactly(rule);
    }

    @ParameterizedTest
    @ValueSource(strings = {"escape", "escape/x", "./escape/"})
    void aRelativePathThatLeavesBaseDirThroughALinkIsRefused(String written) {
        assertThat(problem(b -> b.addReadPaths(written)).line()).contains("read_paths[0]", written, "leaves base_dir");
        assertThat(problem(b -> b.addWritePaths(written)).where()).isEqualTo("write_paths[0]");
        assertThat(problem(b -> b.addListPaths(written)).where()).isEqualTo("list_paths[0]");
        assertThat(problem(b -> b.addBlockedPaths(written)).where()).isEqualTo("blocked_paths[0]");
        assertThat(problem(b -> b.workDir(written)).where()).isEqualTo("work_dir");
    }

    @Test
    void theSameEscapeWrittenAsAnAbsolutePathIsAnExplicitGrant() {
        assertThat(rules(resolve(b -> b.addReadPaths("/w/escape")), Access.READ))
                .containsExactly("directory /home/user");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "../data", "src/../..", "src/../../data", "escape/..", "escape/../../w2"})
    void aRelativePathThatLeavesBaseDirByDotDotIsRefused(String written) {
        assertThat(problem(b -> b.addReadPaths(written)).line()).contains("read_paths[0]", "leaves base_dir");
        assertThat(problem(b -> b.addBlockedPaths(written)).line()).contains("blocked_paths[0]", "leaves base_dir");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "src/..",
                "src/../.",
                "./src/../src/../",
                "/w/src/..",
                "/w/../w",
                "escape/../../w",
                "/data/../w/src/.."
            })
    void dotDotMeansWhatTheKernelMeans(String written) {
        assertThat(rules(resolve(b -> b.addReadPaths(written)), Access.READ)).containsExactly("directory /w");
        assertThat(rules(resolve(b -> b.addBlockedPaths(written + "/src")), Access.BLOCKED))
                .containsExactly("directory /w/src");
    }

    /** {@code escape} leads to /home/user: above it is /home, whatever the text looks like. */
    @Test
    void dotDotBehindALinkIsAboveWhereTheLinkLeads() {
        assertThat(rules(resolve(b -> b.addReadPaths("/w/escape/..")), Access.READ))
                .containsExactly("directory /home");
        assertThat(rules(resolve(b -> b.addReadPaths("/w").addBlockedPaths("/w/escape/../user")), Access.BLOCKED))
                .containsExactly("directory /home/user");
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing/../src", "/w/src/missing/../..", "/data/closed/inner/../x", "loop/.."})
    void dotDotBehindWhatIsNoFolderIsRefused(String written) {
        assertThat(problem(b -> b.addReadPaths(written)).line()).contains("read_paths[0]", "'..'", "which");
        assertThat(problem(b -> b.addWritePaths(written)).line()).contains("write_paths[0]", "'..'");
        assertThat(problem(b -> b.addBlockedPaths(written)).line()).contains("blocked_paths[0]", "'..'");
        assertThat(problem(b -> b.workDir(written)).line()).contains("work_dir", "'..'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/var/tmp",
                "/var/tmp/.sandbox-1",
                "/var/tmp/.sandbox-1/state",
                "/var/tmp/.sandbox-1/state/running"
            })
    void noGrantReachesTheSandboxesOwnRecords(String written) {
        files.directory("/var/tmp/.sandbox-1/state/running").directory("/var/tmp/.sandbox-1/sbx-0");
        Host host = new Host(
                files,
                SystemBaseline.standard(),
                List.of(),
                List.of(),
                Optional.of(AbsolutePath.of("/var/tmp/.sandbox-1/state")));
        for (UnaryOperator<SandboxPolicy.Builder> change : List.<UnaryOperator<SandboxPolicy.Builder>>of(
                b -> b.addReadPaths(written), b -> b.addWritePaths(written), b -> b.addExtraSystemPaths(written))) {
            PolicyInvalidException refused = catchThrowableOfType(
                    PolicyInvalidException.class, () -> PolicyResolver.resolve(policy(change), host));
            assertThat(refused).isNotNull().hasMessageContaining("own records");
        }
        assertThat(PolicyResolver.resolve(policy(b -> b.addWritePaths("/var/tmp/.sandbox-1/sbx-0")), host))
                .isNotNull();
        assertThat(PolicyResolver.resolve(
                        policy(b -> b.addWritePaths("/var/tmp").addBlockedPaths("/var/tmp/.sandbox-1")), host))
                .isNotNull();
    }

    @Test
    void nulAndEmptyPathsAreRefused() {
        assertThat(problem(b -> b.addReadPaths("a\0b")).line())
                .contains("NUL", "\\x00")
                .doesNotContain("\0");
        assertThat(problem(b -> b.addReadPaths("")).line()).contains("read_paths[0]", "is empty");
    }

    @Test
    void aLoopOfLinksIsRefusedAsGrantAndAsBlock() {
        assertThat(problem(b -> b.addReadPaths("loop")).line()).contains("loop of symbolic links");
        assertThat(problem(b -> b.addBlockedPaths("loop")).line()).contains("loop of symbolic links");
    }

    /** A planner that took it for missing put nothing over it. */
    @Test
    void aLinkToNothingThatClimbsBackBlocksWhatItNamesAsWhatThatIs() {
        files.symlink("/w/back", "nothing/../src");

        assertThat(rules(resolve(b -> b.addReadPaths(".").addBlockedPaths("back")), Access.BLOCKED))
                .containsExactly("directory /w/src");
    }

    @Test
    void aBlockThatCannotBeExaminedIsRefused() {
        assertThat(problem(b -> b.addBlockedPaths("/data/closed/inner")).line())
                .contains("blocked_paths[0]", "enforced");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "/proc", "/proc/self", "/sys", "/sys/devices", "/dev", "/dev/null", "/dev/sda"})
    void theWholeAndThePseudoFileSystemsAreNeverGranted(String written) {
        assertThat(problem(b -> b.addReadPaths(written)).where()).isEqualTo("read_paths[0]");
        assertThat(problem(b -> b.addWritePaths(written)).where()).isEqualTo("write_paths[0]");
        assertThat(problem(b -> b.addListPaths(written)).where()).isEqualTo("list_paths[0]");
        assertThat(problem(b -> b.addExtraSystemPaths(written)).where()).isEqualTo("extra_system_paths[0]");
    }

    @Test
    void aLinkToAForbiddenPlaceIsAsForbidden() {
        files.symlink("/data/root", "/").symlink("/data/proc", "/proc/1");
        assertThat(problem(b -> b.addReadPaths("/data/root")).line()).contains("whole file system");
        assertThat(problem(b -> b.addReadPaths("/data/proc")).line()).contains("pseudo file system");
    }

    @Test
    void sharedMemoryIsGrantedForWritingOnlyWithTheHostsTmp() {
        assertThat(problem(b -> b.addWritePaths("/dev/shm")).line()).contains("write_paths[0]", "share", "tmp: host");
        assertThat(rules(resolve(b -> b.addReadPaths("/dev/shm")), Access.READ)).containsExactly("directory /dev/shm");
        files.directory("/dev/shm/own");
        assertThat(rules(resolve(b -> b.addWritePaths("/dev/shm/own")), Access.WRITE))
                .containsExactly("directory /dev/shm/own");
        assertThat(rules(resolve(b -> b.tmp(TmpMode.HOST)), Access.WRITE))
                .containsExactly("directory /dev/shm", "directory /tmp");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/passwd",
                "/etc/new",
                "/etc/cron.d/x",
                "/usr/lib/libc.so",
                "/lib/libc.so",
                "/usr/local/lib/x",
                "/usr/src",
                "/usr/share/x/y",
                "/boot/grub",
                "/nix/store",
                "/var/lib/dpkg",
                "/var/lib/dpkg/status",
                "/var/lib/rpm/x",
                "/var/lib",
                "/var",
                "/var/spool/cron/crontabs",
                "/run/systemd/system",
                "/run"
            })
    void whatTheMachineRunsOrBelievesIsNeverWritable(String written) {
        files.file("/var/lib/dpkg/status").directory("/boot");
        assertThat(problem(b -> b.addWritePaths(written).onMissing(OnMissing.CREATE))
                        .line())
                .contains("write_paths[0]", "never writable");
    }

    @Test
    void whatPeopleKeepBesideItIs() {
        files.directory("/usr/src/app")
                .directory("/var/lib/dpkg")
                .directory("/var/lib/app")
                .directory("/srv/etc");
        assertThat(rules(resolve(b -> b.addWritePaths("/usr/src/app", "/var/lib/app", "/srv/etc")), Access.WRITE))
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/bin",
                "/sbin",
                "/lib",
                "/usr",
                "/usr/bin",
                "/usr/sbin",
                "/usr/lib",
                "/usr/local/bin",
                "/etc",
                "/boot"
            })
    void aSystemDirectoryIsNeverWritable(String written) {
        assertThat(problem(b -> b.addWritePaths(written)).line()).contains("write_paths[0]", "system directory");
    }

    @Test
    void aSystemDirectoryIsNotWritableByAnyOtherSpellingOrLink() {
        files.symlink("/data/tools", "/bin");
        assertThat(problem(b -> b.addWritePaths("/data/tools")).line()).contains("/usr/bin", "system directory");
        assertThat(problem(b -> b.addWritePaths("//usr/./bin/")).line()).contains("system directory");
    }

    @Test
    void whereBinIsALinkElsewhereItsTargetIsASystemDirectoryToo() {
        FakeFileSystem odd =
                new FakeFileSystem().directory("/w").file("/system/bin/sh").symlink("/bin", "/system/bin");
        PolicyInvalidException refused = catchThrowableOfType(
                PolicyInvalidException.class,
                () -> PolicyResolver.resolve(policy(b -> b.addWritePaths("/system/bin")), Host.standard(odd)));
        assertThat(refused).isNotNull().hasMessageContaining("system directory");
    }

    @Test
    void aSystemDirectoryMayBeReadByName() {
        assertThat(rules(resolve(b -> b.addReadPaths("/usr", "/etc")), Access.READ))
                .hasSize(2);
    }

    @Test
    void aWriteGrantThatCoversThePolicyItselfIsRefused() {
        files.file("/w/sandbox.yaml");
        AbsolutePath file = AbsolutePath.of("/w/sandbox.yaml");
        assertThat(problem(b -> b.policyFile(file).addWritePaths(".")).line()).contains("write_paths[0]", "own policy");
        assertThat(problem(b -> b.policyFile(file).addWritePaths("sandbox.yaml"))
                        .line())
                .contains("own policy");
        assertThat(resolve(b -> b.policyFile(file).addWritePaths("out").addReadPaths(".")))
                .isNotNull();
        assertThat(resolve(b -> b.policyFile(file).addWritePaths(".").addBlockedWritePaths("sandbox.yaml")))
                .isNotNull();
    }

    @Test
    void thePolicyIsNotHandedOverThroughALinkToItNorThroughTheHostsTmp() {
        files.file("/data/real.yaml")
                .symlink("/w/sandbox.yaml", "/data/real.yaml")
                .file("/tmp/sandbox.yaml");
        AbsolutePath link = AbsolutePath.of("/w/sandbox.yaml");
        assertThat(problem(b -> b.policyFile(link).addWritePaths("/data")).line())
                .contains("own policy");
        assertThat(problem(b -> b.policyFile(link).addWritePaths("/w")).line()).contains("own policy");
        assertThat(problem(b -> b.policyFile(AbsolutePath.of("/tmp/sandbox.yaml"))
                                .tmp(TmpMode.HOST))
                        .line())
                .contains("tmp", "own policy");
    }

    @ParameterizedTest
    @CsvSource({"out, out", "out/a, out", "./out, /w/out", "current, releases"})
    void aGrantEqualToOrInsideABlockIsRefusedAndNamesBoth(String grant, String block) {
        for (Problem found : List.of(
                problem(b -> b.addReadPaths(grant).addBlockedPaths(block).onMissing(OnMissing.CREATE)),
                problem(b -> b.addWritePaths(grant).addBlockedPaths(block)),
                problem(b -> b.addListPaths(grant).addBlockedPaths(block).onMissing(OnMissing.CREATE)),
                problem(b -> b.addWritePaths(grant).addBlockedWritePaths(block)))) {
            assertThat(found.line()).contains("\"" + grant + "\"", "\"" + block + "\"", "_paths[0]", "blocked");
        }
    }

    @Test
    void aReadGrantInsideABlockedWritePathIsNoContradiction() {
        assertThat(resolve(b -> b.addReadPaths("src").addBlockedWritePaths("src")))
                .isNotNull();
        assertThat(resolve(b -> b.addWritePaths(".").addBlockedWritePaths("src").addBlockedPaths("out")))
                .isNotNull();
    }

    @Test
    void allProblemsAreReportedAtOnce() {
        List<Problem> found = problems(b -> b.addReadPaths("..", "/", "escape", "src")
                .addWritePaths("/etc", "/data/none")
                .addBlockedPaths("", "src")
                .workDir("none"));
        assertThat(found)
                .extracting(Problem::where)
                .containsExactlyInAnyOrder(
                        "read_paths[0]",
                        "read_paths[1]",
                        "read_paths[2]",
                        "read_paths[3]",
                        "write_paths[0]",
                        "write_paths[1]",
                        "blocked_paths[0]",
                        "work_dir");
    }

    @Test
    void extraSystemPathsOfTheDeploymentAreReadAndMissingOnesPassedOver() {
        Host host = new Host(files, SystemBaseline.standard(), List.of("/data/set", "/opt/none"));
        ResolvedPolicy resolved = PolicyResolver.resolve(policy(b -> b.onMissing(OnMissing.REFUSE)), host);
        assertThat(rules(resolved, Access.READ)).containsExactly("directory /data/set");
        assertThat(resolved.skipped()).isEmpty();
    }

    @Test
    void theBaselineFollowsALinkOutOfEtc() {
        ResolvedPolicy resolved = resolve(b -> b);
        assertThat(resolved.rules())
                .anyMatch(rule -> rule.path().toString().equals("/run/systemd/resolve/stub-resolv.conf")
                        && rule.kind() == EntryKind.FILE
                        && rule.access() == Access.READ);
        assertThat(resolved.rules())
                .noneMatch(rule -> rule.path().equals(AbsolutePath.of("/run"))
                        || rule.path().equals(AbsolutePath.of("/run/systemd/resolve")));
    }

    @Test
    void aBaselineOfAMadeUpRootGivesOnlyWhatItNames() {
        SystemBaseline made = SystemBaseline.of(List.of(new BaselineEntry(AbsolutePath.of("/data/link"), Access.READ)));
        ResolvedPolicy resolved =
                PolicyResolver.resolve(policy(b -> b.proc(ProcAccess.NONE)), new Host(files, made, List.of()));
        assertThat(resolved.rules()).extracting(rule -> rule.path().toString()).containsExactly("/data/set");
    }

    @Test
    void baseDirMustBeADirectory() {
        assertThat(problems(b -> b.baseDir(AbsolutePath.of("/none"))))
                .anyMatch(found -> found.line().contains("base_dir: \"/none\" does not exist"));
        assertThat(problems(b -> b.baseDir(AbsolutePath.of("/w/file"))))
                .anyMatch(found -> found.line().contains("base_dir: \"/w/file\" is not a directory"));
    }

    @Test
    void aLinkedBaseDirIsTakenByWhereItLeads() {
        ResolvedPolicy resolved =
                resolve(b -> b.baseDir(AbsolutePath.of("/data/link")).addWritePaths("."));
        assertThat(resolved.baseDir()).hasToString("/data/set");
        assertThat(rules(resolved, Access.WRITE)).containsExactly("directory /data/set");
    }
}
