package dev.sandbox.domain.result;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.verdict.AccessOracle;
import dev.sandbox.domain.verdict.Operation;
import dev.sandbox.domain.verdict.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    /** A line may begin with the name of the program that complains, which is not what was denied. */
    private static final Pattern PROGRAM = Pattern.compile("^[^\\s:'\"]*/[^\\s:'\"]*:");

    private static final Pattern PATH =
            Pattern.compile("(?:^|[\\s'\"`(=:\\u2018\\[])((?:\\.{0,2}/|[A-Za-z0-9_.])[^\\s'\"`:;,)\\]\\u2019]*)");
    /** {@code cat: notes.txt: Permission denied}, {@code Permission denied: 'notes.txt'}: a bare name as the thing complained of. */
    private static final Pattern BARE_NAME = Pattern.compile(
            "(?i)(?:([^\\s:'\"`/\u2018\u2019]+)['\u2019]?: (?:permission denied|operation not permitted|read-only file system)"
                    + "|(?:permission denied|operation not permitted|read-only file system): '([^'/]+)')\\s*$");

    private static final int MOST = 20;

    private DenialInference() {}

    /** The denials that explain these words of a command that started in {@code workDir}. */
    public static List<Denial> from(String stderr, AbsolutePath workDir, AccessOracle oracle) {
        Map<String, Denial> found = new LinkedHashMap<>();
        stderr.lines().filter(line -> COMPLAINT.matcher(line).find()).limit(200).forEach(line -> {
            boolean change = CHANGE.matcher(line).find();
            List<AbsolutePath> paths = paths(line, workDir);
            if (paths.isEmpty()) {
                bareName(line, workDir)
                        .filter(path -> change || exists(path, oracle)) // else it may be any word
                        .ifPresent(paths::add);
            }
            for (AbsolutePath path : paths) {
                if (found.size() < MOST && !found.containsKey(path.toString())) {
                    denial(path, change, oracle).ifPresent(d -> found.put(d.path(), d));
                }
            }
        });
        return List.copyOf(found.values());
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
        boolean namesProgram = paths.size() > 1 && PROGRAM.matcher(line).find();
        return namesProgram ? paths.subList(1, paths.size()) : paths;
    }

    private static Optional<AbsolutePath> bareName(String line, AbsolutePath workDir) {
        Matcher matcher = BARE_NAME.matcher(line);
        if (!matcher.find()) {
            return Optional.empty();
        }
        return lexical(Optional.ofNullable(matcher.group(1)).orElseGet(() -> matcher.group(2)), workDir);
    }

    private static boolean exists(AbsolutePath path, AccessOracle oracle) {
        return oracle.decide(path, Operation.READ).kind() != EntryKind.MISSING;
    }

    /** As a shell would print it: {@code ../x} is taken from the working directory by its text. */
    private static Optional<AbsolutePath> lexical(String text, AbsolutePath workDir) {
        AbsolutePath path = text.startsWith("/") ? AbsolutePath.ROOT : workDir;
        for (String name : text.split("/", -1)) {
            if (name.indexOf('\0') >= 0) {
                return Optional.empty();
            }
            path = name.equals("..") ? path.parent().orElse(AbsolutePath.ROOT) : path.resolve(name);
        }
        return Optional.of(path);
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
