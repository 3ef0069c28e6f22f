package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.problem.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Places that no grant may name: the whole file system and the pseudo file systems; and for writing what the machine itself runs or
 * believes: its programs and settings, what it boots, the data bases of its packages, and the memory that its programs share.
 */
final class GrantLimits {
    private static final List<AbsolutePath> PSEUDO = paths("/proc", "/sys", "/dev");
    private static final AbsolutePath SHARED_MEMORY = AbsolutePath.of("/dev/shm");

    /** All below is as little writable. */
    private static final List<AbsolutePath> SYSTEM = paths(
            "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/etc", "/boot", "/efi", "/nix", "/gnu");

    /** Inside those, where people keep their own work; images of programming languages work in {@code /usr/src/app}. */
    private static final List<AbsolutePath> OF_PEOPLE = paths("/usr/src", "/usr/local/src");

    /** What package managers and the service manager believe: who writes there makes root run what he likes. */
    private static final List<AbsolutePath> DATA_BASES = paths(
            "/var/lib/dpkg",
            "/var/lib/apt",
            "/var/lib/rpm",
            "/var/lib/pacman",
            "/var/lib/portage",
            "/var/db/pkg",
            "/var/lib/dnf",
            "/var/lib/yum",
            "/var/lib/snapd",
            "/var/lib/flatpak",
            "/var/lib/apk",
            "/var/lib/systemd",
            "/var/lib/alternatives",
            "/var/lib/pam",
            "/var/lib/dkms",
            "/var/lib/docker",
            "/var/lib/containerd",
            "/var/lib/containers",
            "/var/spool/cron",
            "/var/spool/at",
            "/run/systemd",
            "/run/udev");

    private final Host host;
    /** Where the folders of the system are on this host, once it is asked for. */
    private List<Place> places = List.of();

    private record Place(AbsolutePath path, boolean exists, String what) {}

    GrantLimits(Host host) {
        this.host = host;
    }

    Optional<Problem> refusal(RuleSource source, AbsolutePath path, Access access) {
        if (path.equals(AbsolutePath.ROOT)) {
            return Optional.of(problem(
                    source, "is the whole file system, which is never a grant", "name the folders that are needed"));
        }
        boolean write = access == Access.WRITE;
        if (write && path.equals(SHARED_MEMORY)) {
            return Optional.of(problem(
                    source,
                    "is the memory that all programs of the account share",
                    "name a folder in it; tmp: host shares it on purpose"));
        }
        if (PSEUDO.stream().anyMatch(pseudo -> pseudo.contains(path)) && !SHARED_MEMORY.contains(path)) {
            return Optional.of(problem(
                    source, "lies on a pseudo file system (" + path + ")", "use the policy's proc key, or remove it"));
        }
        return write
                ? unwritable(path).map(what -> problem(source, what, "grant a folder of your own"))
                : Optional.empty();
    }

    /** Adds a problem for each rule that reaches the sandbox's own records: what is there decides over other runs. */
    void reachOf(Collection<AccessRule> rules, List<Problem> problems) {
        if (host.ownRecords().isEmpty()) {
            return;
        }
        AbsolutePath records = host.ownRecords().get();
        if (rules.stream().anyMatch(rule -> rule.access() == Access.BLOCKED && rule.covers(records))) {
            return;
        }
        rules.stream()
                .filter(rule -> !rule.access().isBlock() && rule.access() != Access.LIST)
                .filter(rule -> !rule.source().key().equals(RuleSource.BASELINE))
                .filter(rule -> rule.covers(records) || records.contains(rule.path()))
                .forEach(rule -> problems.add(problem(
                        rule.source(),
                        "reaches the sandbox's own records in " + records,
                        "grant the folders beside it, or block it")));
    }

    private Optional<String> unwritable(AbsolutePath path) {
        if (OF_PEOPLE.stream().anyMatch(folder -> folder.strictlyContains(path))) {
            return Optional.empty();
        }
        return first("is", place -> place.path().equals(path))
                .or(() -> first("lies in", place -> place.path().contains(path)))
                .or(() -> first("holds", place -> place.exists() && path.contains(place.path())));
    }

    private Optional<String> first(String verb, Predicate<Place> fits) {
        return places().stream()
                .filter(fits)
                .findFirst()
                .map(place -> verb + " " + place.what() + " (" + place.path() + "), which is never writable");
    }

    private List<Place> places() {
        if (places.isEmpty()) {
            List<Place> found = new ArrayList<>();
            SYSTEM.forEach(path -> add(path, "a system directory", found));
            DATA_BASES.forEach(path -> add(path, "a data base of the system", found));
            places = Collections.unmodifiableList(found);
        }
        return places;
    }

    /** As it is written and where it leads: each may be what a grant comes to. */
    private void add(AbsolutePath path, String what, List<Place> found) {
        PathResolution real = host.follow(path);
        boolean exists = real.kind() != EntryKind.MISSING;
        found.add(new Place(path, exists, what));
        if (!real.path().equals(path)) {
            found.add(new Place(real.path(), exists, what));
        }
    }

    private static Problem problem(RuleSource source, String what, String fix) {
        return new Problem(source.where(), "\"" + source.written() + "\" " + what, fix);
    }

    private static List<AbsolutePath> paths(String... texts) {
        return Stream.of(texts).map(AbsolutePath::of).toList();
    }
}
