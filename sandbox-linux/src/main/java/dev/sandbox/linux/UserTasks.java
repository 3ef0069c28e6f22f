package dev.sandbox.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** How many tasks (processes and threads) an account has: what the kernel holds against RLIMIT_NPROC. */
final class UserTasks {
    private UserTasks() {}

    /** Those that /proc shows. Others of the same account, in other containers, make the limit stricter than asked for. */
    static long count(long account) {
        String uid = String.valueOf(account);
        try (ProcessTable table = new ProcessTable()) {
            return table.entries().stream()
                    .mapToLong(entry -> tasks(entry.pid(), uid))
                    .sum();
        }
    }

    private static long tasks(int pid, String uid) {
        boolean ours = false;
        long threads = 0;
        for (String line : status(pid).split("\n")) {
            String[] words = line.split("\\s+", 3);
            ours |= words[0].equals("Uid:") && words[1].equals(uid);
            threads = words[0].equals("Threads:") ? Long.parseLong(words[1]) : threads;
        }
        return ours ? threads : 0;
    }

    private static String status(int pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/status"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
