package dev.sandbox.domain.verdict;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.path.FileSystemView;
import dev.sandbox.domain.path.PathResolution;
import dev.sandbox.domain.policy.ProcAccess;
import dev.sandbox.domain.policy.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One more line for a policy.
 *
 * @param path what it gives
 * @param text the line, as a policy file has it
 * @param where what a problem with it names: its key, with its index
 * @param changed the policy with it
 */
record PolicyChange(AbsolutePath path, String text, String where, SandboxPolicy changed) {
    private static final AbsolutePath PROC = AbsolutePath.of("/proc");
    /** What YAML takes for a text without quotes, also inside brackets. */
    private static final Pattern PLAIN = Pattern.compile("/[A-Za-z0-9_./+@=-]*");

    /** Those that could allow the operation, the smallest first. */
    static List<PolicyChange> candidates(
            SandboxPolicy policy, PathResolution found, Operation operation, FileSystemView files) {
        AbsolutePath path = found.path();
        return switch (operation) {
            case READ, EXEC -> reading(policy, path, List.of(readGrant(policy, path)));
            case LIST -> reading(policy, path, List.of(listGrant(policy, path)));
            case WRITE ->
                found.kind() == EntryKind.MISSING ? creating(policy, path, files) : List.of(writeGrant(policy, path));
            case CREATE -> creating(policy, path, files);
        };
    }

    /** What no grant may name, the policy's own key for it may give. */
    private static List<PolicyChange> reading(SandboxPolicy policy, AbsolutePath path, List<PolicyChange> grants) {
        if (!PROC.contains(path)) {
            return grants;
        }
        SandboxPolicy self =
                SandboxPolicy.builder().from(policy).proc(ProcAccess.SELF).build();
        List<PolicyChange> changes = new ArrayList<>(grants);
        changes.add(new PolicyChange(path, "proc: self", "proc", self));
        return changes;
    }

    /** The directory that holds the name; where that may not be made, the nearest above it that exists. */
    private static List<PolicyChange> creating(SandboxPolicy policy, AbsolutePath path, FileSystemView files) {
        AbsolutePath parent = path.parent().orElse(path);
        AbsolutePath existing = parent;
        while (files.kind(existing) == EntryKind.MISSING) {
            existing = existing.parent().orElse(AbsolutePath.ROOT);
        }
        return Stream.of(parent, existing)
                .distinct()
                .map(granted -> writeGrant(policy, granted))
                .toList();
    }

    private static PolicyChange readGrant(SandboxPolicy policy, AbsolutePath path) {
        SandboxPolicy.Builder more = SandboxPolicy.builder().from(policy).addReadPaths(path.toString());
        return grant("read_paths", policy.readPaths(), path, more);
    }

    private static PolicyChange listGrant(SandboxPolicy policy, AbsolutePath path) {
        SandboxPolicy.Builder more = SandboxPolicy.builder().from(policy).addListPaths(path.toString());
        return grant("list_paths", policy.listPaths(), path, more);
    }

    private static PolicyChange writeGrant(SandboxPolicy policy, AbsolutePath path) {
        SandboxPolicy.Builder more = SandboxPolicy.builder().from(policy).addWritePaths(path.toString());
        return grant("write_paths", policy.writePaths(), path, more);
    }

    private static PolicyChange grant(
            String key, List<String> before, AbsolutePath path, SandboxPolicy.Builder changed) {
        String text = key + ": [" + quoted(path.toString()) + "]";
        return new PolicyChange(path, text, key + "[" + before.size() + "]", changed.build());
    }

    private static String quoted(String path) {
        if (PLAIN.matcher(path).matches()) {
            return path;
        }
        StringBuilder quoted = new StringBuilder("\"");
        path.codePoints().forEach(character -> {
            if (character == '"' || character == '\\') {
                quoted.append('\\').appendCodePoint(character);
            } else if (Character.isISOControl(character) || character == 0x2028 || character == 0x2029) {
                quoted.append(String.format("\\u%04x", character));
            } else {
                quoted.appendCodePoint(character);
            }
        });
        return quoted.append('"').toString();
    }
}
