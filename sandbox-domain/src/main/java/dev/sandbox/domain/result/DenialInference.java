package dev.sandbox.domain.result;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.domain.verdict.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Without a kernel that tells denials, takes paths from what the command complained about and asks the oracle. Only paths that
 * the policy really denies are reported; a file's own permissions are not the sandbox's.
 */
public final class DenialInference {
    private static final Pattern COMPLAINT = Pattern.compile(
            "(?i)permission denied|operation not permitted|read-only file system|EACCES|EPERM|EROFS|device or resource busy|EBUSY|can(?:no|')t (?:open|create|access)");
    private static final Pattern CHANGE =
            Pattern.compile("(?i)creat|writ|mkdir|remove|unlink|rename|touch|rm:|mv:|cp:|read-only");
    private static final Pattern PATH =
            Pattern.compile("(?:^|[\\s'\"`(=:\\u2018\\[])((?:\\.{0,2}/|[A-Za-z0-9_.])[^\\s'\"`:;,)\\]\\u2019]*)");
    private static final List<String> REASONS =
            List.of("permission denied", "operation not permitted", "read-only file system");
    private static final String QUOTES = "'\u2019";
    private static final String NO_NAME = ":'\"`/\u2018\u2019";

    private static final int MOST = 20;
    /** Each costs a look at the host's files for every folder of its path. */
    private static final int MOST_LOOKED_AT = 100;

    private static final int DEEPEST = 128;

    private DenialInference() {}

    /** As {@link #from(String, AbsolutePath, AccessOracle, BooleanSupplier)}, however long it takes. */
    public static List<Denial> from(String stderr, AbsolutePath workDir, AccessOracle oracle) {
        return from(stderr, workDir, oracle, () -> true);
    }

    /**
     * The denials that explain these words of a command that started in {@code workDir}. The words and the files are the step's, which
     * may want to keep the caller busy: the work is linear in the words, few paths are looked at, and none after {@code timeIsLeft} has
     * said no.
     */
    public static List<Denial> from(
            String stderr, AbsolutePath workDir, AccessOracle oracle, BooleanSupplier timeIsLeft) {
        Map<AbsolutePath, Optional<Denial>> looked = new LinkedHashMap<>();
        List<String> complaints = stderr.lines()
                .filter(line -> COMPLAINT.matcher(line).find())
                .limit(200)
                .toList();
        int found = 0;
        for (String line : complaints) {
            boolean change = CHANGE.matcher(line).find();
            for (AbsolutePath path : candidates(line, change, workDir, oracle)) {
                if (found == MOST || looked.size() == MOST_LOOKED_AT || !timeIsLeft.getAsBoolean()) {
                    return found(looked);
                }
                if (!looked.containsKey(path)) {
                    Optional<Denial> denial = denial(path, change, oracle);
                    looked.put(path, denial);
                    found += denial.isPresent() ? 1 : 0;
                }
            }
        }
        return found(looked);
    }

    private static List<Denial> found(Map<AbsolutePath, Optional<Denial>> looked) {
        return looked.values().stream().flatMap(Optional::stream).toList();
    }

    private static List<AbsolutePath> candidates(
            String line, boolean change, AbsolutePath workDir, AccessOracle oracle) {
        List<AbsolutePath> paths = paths(line, workDir);
        if (paths.isEmpty()) {
            return named(line, change, workDir, oracle);
        }
        if (!beginsWithProgram(line)) {
            return paths;
        }
        if (paths.size() > 1) {
            return paths.subList(1, paths.size());
        }
        // /bin/sh: 1: cannot create report.txt: Permission denied
        List<AbsolutePath> afterTheProgram = named(line.substring(line.indexOf(':') + 1), change, workDir, oracle);
        return afterTheProgram.isEmpty() ? paths : afterTheProgram;
    }

    private static List<AbsolutePath> named(String line, boolean change, AbsolutePath workDir, AccessOracle oracle) {
        return bareName(line)
                .flatMap(name -> lexical(name, workDir))
                .filter(path -> change || exists(path, oracle)) // else it may be any word
                .map(List::of)
                .orElse(List.of());
    }

    private static List<AbsolutePath> paths(String line, AbsolutePath workDir) {
        List<AbsolutePath> paths = new ArrayList<>();
        Matcher matcher = PATH.matcher(line);
        while (matcher.find()) {
            String text = matcher.group(1);
            boolean address = text.startsWith("//"); // what follows the colon of https:
            if (text.contains("/") && !address) {
                lexical(text, workDir).ifPresent(paths::add);
            }
        }
        return paths;
    }

    /** A line may begin with the path of the program that complains, which is not what was denied. */
    private static boolean beginsWithProgram(String line) {
        int end = 0;
        while (end < line.length() && !isBlank(line.charAt(end)) && ":'\"".indexOf(line.charAt(end)) < 0) {
            end++;
        }
        return end < line.length() && line.charAt(end) == ':' && line.lastIndexOf('/', end) >= 0;
    }

    /** {@code cat: notes.txt: Permission denied}, {@code Permission denied: 'notes.txt'}: a bare name as the thing complained of. */
    private static Optional<String> bareName(String line) {
        String said = line.stripTrailing();
        for (String reason : REASONS) {
            if (endsWith(said, said.length(), ": " + reason)) {
                return nameBefore(said, said.length() - reason.length() - 2);
            }
        }
        int open = said.endsWith("'") ? said.lastIndexOf('\'', said.length() - 2) : -1;
        boolean named = open >= 0 && REASONS.stream().anyMatch(reason -> endsWith(said, open, reason + ": "));
        return named
                ? Optional.of(said.substring(open + 1, said.length() - 1))
                        .filter(name -> !name.isEmpty() && name.indexOf('/') < 0)
                : Optional.empty();
    }

    private static Optional<String> nameBefore(String said, int colon) {
        int end = colon > 0 && QUOTES.indexOf(said.charAt(colon - 1)) >= 0 ? colon - 1 : colon;
        int start = end;
        while (start > 0 && !isBlank(said.charAt(start - 1)) && NO_NAME.indexOf(said.charAt(start - 1)) < 0) {
            start--;
        }
        return start < end ? Optional.of(said.substring(start, end)) : Optional.empty();
    }

    private static boolean endsWith(String text, int end, String suffix) {
        return end >= suffix.length() && text.regionMatches(true, end - suffix.length(), suffix, 0, suffix.length());
    }

    private static boolean isBlank(char c) {
        return " \t\n\u000b\f\r".indexOf(c) >= 0;
    }

    private static boolean exists(AbsolutePath path, AccessOracle oracle) {
        return oracle.decide(path, Operation.READ).kind() != EntryKind.MISSING;
    }

    /** As a shell would print it: {@code ../x} is taken from the working directory by its text. None that no call would take. */
    private static Optional<AbsolutePath> lexical(String text, AbsolutePath workDir) {
        if (text.length() >= AbsolutePath.PATH_MAX || text.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        Deque<String> names = new ArrayDeque<>(text.startsWith("/") ? List.of() : workDir.components());
        for (String name : text.split("/", -1)) {
            if (name.equals("..")) {
                names.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.addLast(name);
            }
        }
        return names.size() > DEEPEST ? Optional.empty() : Optional.of(AbsolutePath.of("/" + String.join("/", names)));
    }

    private static Optional<Denial> denial(AbsolutePath path, boolean change, AccessOracle oracle) {
        Verdict reading = oracle.decide(path, Operation.READ);
        Verdict first = switch (reading.kind()) {
            case MISSING -> oracle.decide(path, change ? Operation.CREATE : Operation.READ);
            case DIRECTORY -> oracle.decide(path, change ? Operation.WRITE : Operation.LIST);
            case FILE, SYMLINK, SOCKET, FIFO, DEVICE, DENIED -> reading;
        };
        Verdict verdict = first.isAllowed() && change ? oracle.decide(path, Operation.WRITE) : first;
        return verdict.isAllowed() ? outOfReach(path, first, verdict, oracle) : Optional.of(denial(path, verdict));
    }

    /** Granted all the same; a mode that keeps the step's account out is told where nobody would expect it. */
    private static Optional<Denial> outOfReach(AbsolutePath path, Verdict first, Verdict last, AccessOracle oracle) {
        return oracle.outOfReach(path, first.operation())
                .or(() -> oracle.outOfReach(path, last.operation()))
                .map(verdict -> denial(path, verdict));
    }

    private static Denial denial(AbsolutePath path, Verdict verdict) {
        return new Denial(
                path.toString(), verdict.operation().id(), Denial.Source.INFERRED, verdict.reason(), verdict.fix());
    }
}
