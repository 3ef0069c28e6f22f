package dev.sandbox.app.http;

import dev.sandbox.domain.problem.SandboxUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The token that clients must show. Only its hash is kept, and compared in constant time. One from a file follows the file: while
 * that cannot be read, or others could read it, nobody is let in. Thread-safe.
 */
final class ApiToken {
    private static final int SHORTEST = 16;
    private static final int LONGEST = 4096;
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final @Nullable Path file;
    private byte[] hash;
    private @Nullable FileTime modified;
    private long size;

    private ApiToken(@Nullable Path file, byte[] hash) {
        this.file = file;
        this.hash = hash;
    }

    /**
     * One from a file, which is looked at again with each request.
     *
     * @throws SandboxUnavailableException when it cannot be used; in one line
     */
    static ApiToken inFile(Path file) {
        ApiToken token = new ApiToken(file, new byte[0]);
        token.reload(file);
        return token;
    }

    /** A fixed one. */
    static ApiToken fixed(String text) {
        return new ApiToken(null, hash(checked(text, "SANDBOX_API_TOKEN")));
    }

    /** True when this is what a client has to show. */
    synchronized boolean matches(String shown) {
        if (file != null) {
            try {
                reload(file);
            } catch (SandboxUnavailableException e) {
                hash = new byte[0];
            }
        }
        return MessageDigest.isEqual(hash, hash(shown));
    }

    private void reload(Path path) {
        try {
            FileTime now = Files.getLastModifiedTime(path);
            long length = Files.size(path);
            if (now.equals(modified) && length == size && hash.length > 0) {
                return;
            }
            requirePrivate(path);
            hash = hash(checked(content(path), "--token-file"));
            modified = now;
            size = length;
        } catch (IOException e) {
            throw refused("\"" + path + "\" cannot be read", "name a readable file that holds the token");
        }
    }

    private static void requirePrivate(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw refused("\"" + path + "\" is not a regular file", "name a file that holds the token");
        }
        Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(path));
        permissions.retainAll(OTHERS);
        if (!permissions.isEmpty()) {
            throw refused("\"" + path + "\" may be read or written by others", "chmod 600 it");
        }
    }

    private static String content(Path path) throws IOException {
        try (var in = Files.newInputStream(path)) {
            return new String(in.readNBytes(LONGEST + 1), StandardCharsets.UTF_8).strip();
        }
    }

    private static String checked(String text, String where) {
        if (text.length() < SHORTEST || text.length() > LONGEST) {
            throw new SandboxUnavailableException(
                    where,
                    "the token has " + text.length() + " characters, not " + SHORTEST + " to " + LONGEST,
                    "make one with: openssl rand -hex 32");
        }
        if (text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new SandboxUnavailableException(
                    where, "the token holds a blank or no ASCII", "use letters and digits");
        }
        return text;
    }

    private static SandboxUnavailableException refused(String what, String fix) {
        return new SandboxUnavailableException("--token-file", what, fix);
    }

    private static byte[] hash(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The credentials of an {@code Authorization: Bearer} header. */
    static Optional<String> shown(@Nullable String header) {
        String scheme = "Bearer ";
        return header != null && header.regionMatches(true, 0, scheme, 0, scheme.length())
                ? Optional.of(header.substring(scheme.length()).strip())
                : Optional.empty();
    }
}
