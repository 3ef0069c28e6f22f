package dev.sandbox.domain;

import dev.sandbox.domain.environment.PackageSettings;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.policy.HomeMode;
import dev.sandbox.domain.resolve.AccessRule;
import dev.sandbox.domain.resolve.ResolvedPolicy;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a private HOME hides from package managers: reads it when the policy carries it over, tells of it when not. A file counts when
 * it belongs to the caller or to root and nobody else may write it; a longer one than anybody writes by hand is not read.
 */
final class CallersSettings {
    private static final int MOST_BYTES = 64 * 1024;

    private static final int WRITABLE_FOR_OTHERS = 2;

    private final FileSystemView files;
    private final ResolvedPolicy policy;
    private final AccessOracle oracle;
    private final List<String> notes = new ArrayList<>();
    private final Optional<AbsolutePath> home;

    CallersSettings(Map<String, String> environment, FileSystemView files, ResolvedPolicy policy, AccessOracle oracle) {
        this.files = files;
        this.policy = policy;
        this.oracle = oracle;
        this.home = policy.policy().home() == HomeMode.PRIVATE ? home(environment) : Optional.empty();
    }

    private static Optional<AbsolutePath> home(Map<String, String> environment) {
        try {
            return Optional.of(AbsolutePath.of(environment.getOrDefault("HOME", "")))
                    .filter(home -> !home.equals(AbsolutePath.ROOT));
        } catch (IllegalArgumentException blankOrRelative) {
            return Optional.empty();
        }
    }

    /** What is carried over; nothing when HOME is the caller's own. */
    PackageSettings find() {
        if (home.isEmpty()) {
            return PackageSettings.NONE;
        }
        hiddenGrants(home.get());
        return switch (policy.policy().packageConfig()) {
            case PRIVATE -> unseen(home.get());
            case INHERIT -> carried(home.get());
        };
    }

    /** For people; complete after {@link #find}. */
    List<String> notes() {
        return notes;
    }

    private PackageSettings unseen(AbsolutePath home) {
        List<String> unseen = new ArrayList<>();
        for (PackageSettings.Tool tool : PackageSettings.Tool.values()) {
            for (String name : tool.files()) {
                if (files.kind(home.resolve(name)) == EntryKind.FILE) {
                    unseen.add(name(tool) + " (~/" + name + ")");
                }
            }
        }
        if (!unseen.isEmpty()) {
            notes.add(
                    CallersNotes.SETTINGS + String.join(", ", unseen)
                            + " are not seen, since HOME is private; package_config: inherit carries over what is no credential");
        }
        return PackageSettings.NONE;
    }

    private PackageSettings carried(AbsolutePath home) {
        Map<PackageSettings.Tool, String> texts = new TreeMap<>();
        for (PackageSettings.Tool tool : PackageSettings.Tool.values()) {
            for (String name : tool.files()) {
                if (!texts.containsKey(tool)) {
                    text(tool, home.resolve(name)).ifPresent(text -> texts.put(tool, text));
                }
            }
        }
        PackageSettings settings =
                PackageSettings.of(texts, path -> oracle.allows(AbsolutePath.of(path), Operation.READ));
        if (!settings.left().isEmpty()) {
            notes.add(
                    CallersNotes.SETTINGS + String.join(", ", new TreeSet<>(settings.left()))
                            + " are carried over in part: what may hold a credential, or names a file that no grant covers, is left out");
        }
        return settings;
    }

    private Optional<String> text(PackageSettings.Tool tool, AbsolutePath written) {
        PathResolution found = PathResolution.follow(written, files);
        if (found.kind() != EntryKind.FILE) {
            return Optional.empty();
        }
        Optional<String> text = files.details().isCallersOrRoots(found.path(), WRITABLE_FOR_OTHERS)
                ? files.details().text(found.path(), MOST_BYTES)
                : Optional.empty();
        if (text.filter(whole -> whole.getBytes(StandardCharsets.UTF_8).length < MOST_BYTES)
                .isPresent()) {
            return text;
        }
        notes.add(CallersNotes.SETTINGS + name(tool) + " in " + written
                + " are not carried over: the file is another account's, writable for others, or longer than "
                + MOST_BYTES + " bytes");
        return Optional.empty();
    }

    /** A tool looks for {@code ~/.gitconfig} where HOME says, so a grant of the caller's own does not reach it. */
    private void hiddenGrants(AbsolutePath home) {
        AbsolutePath real = PathResolution.follow(home, files).path();
        int depth = real.components().size();
        for (AccessRule rule : policy.rules()) {
            boolean settings = rule.source().index() >= 0
                    && !rule.access().isBlock()
                    && real.strictlyContains(rule.path())
                    && rule.path().components().get(depth).startsWith(".");
            if (settings) {
                notes.add(
                        CallersNotes.SETTINGS + "~/" + real.relativize(rule.path())
                                + " are granted, but HOME is private and tools look there: home: inherit shows them the caller's");
            }
        }
    }

    private static String name(PackageSettings.Tool tool) {
        return tool.name().toLowerCase(Locale.ROOT);
    }
}
