package dev.sandbox.linux.uapi;

import java.util.Locale;

/**
 * The processor architectures for which system call numbers and flags are known here. Both are little-endian and 64-bit.
 *
 * <p>Source: linux/audit.h ({@code AUDIT_ARCH_*}).
 */
public enum Architecture {
    /** AMD64. */
    X86_64(0xC000003E),
    /** ARM64. */
    AARCH64(0xC00000B7);

    private final int auditArch;

    Architecture(int auditArch) {
        this.auditArch = auditArch;
    }

    /** The value of {@code seccomp_data.arch} for a native call. */
    public int auditArch() {
        return auditArch;
    }

    /**
     * The architecture of this JVM.
     *
     * @throws UnsupportedOperationException when it is none of these
     */
    public static Architecture host() {
        return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    static Architecture of(String system, String name) {
        if (system.equals("Linux")) {
            switch (name.toLowerCase(Locale.ROOT)) {
                case "amd64", "x86_64" -> {
                    return X86_64;
                }
                case "aarch64", "arm64" -> {
                    return AARCH64;
                }
                default -> {}
            }
        }
        throw new UnsupportedOperationException(
                "system call numbers are known for Linux on x86-64 and aarch64 only; this is " + system + " on "
                        + name);
    }
}
