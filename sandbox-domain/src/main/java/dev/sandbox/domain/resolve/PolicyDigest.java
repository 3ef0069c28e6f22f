package dev.sandbox.domain.resolve;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A fingerprint of what is enforced: two policies that resolve to the same rules and settings have the same one. */
public final class PolicyDigest {
    private PolicyDigest() {}

    /** SHA-256 over the canonical rules, work_dir and settings, in hexadecimal. */
    public static String of(ResolvedPolicy resolved) {
        StringBuilder text =
                new StringBuilder("work_dir ").append(resolved.workDir()).append('\n');
        resolved.rules()
                .forEach(rule -> text.append(rule.access().id())
                        .append(' ')
                        .append(rule.kind().id())
                        .append(' ')
                        .append(rule.path())
                        .append('\0'));
        text.append(resolved.policy().network())
                .append(resolved.policy().limits())
                .append(resolved.policy().require());
        text.append(resolved.policy().home())
                .append(resolved.policy().tmp())
                .append(resolved.policy().proc());
        text.append(resolved.policy().environment());
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(text.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
