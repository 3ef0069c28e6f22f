package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real JVM that is killed in the middle of its runs. */
@Timeout(120)
final class WatchdogIT {
    private static final String END = "end";

    @Test
    void stepsOfAJvmThatIsKilledEndWithIt() throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> pids = new ArrayList<>();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = said.readLine(); line != null && !line.equals(END); line = said.readLine()) {
                pids.add(line);
            }
        } finally {
            jvm.destroyForcibly();
        }
        assertThat(pids).hasSize(Main.HOSTILE.size() + 1);
        pids.forEach(WatchdogIT::awaitEnd);
    }

    private static void awaitEnd(String pid) {
        while (isRunning(pid)) {
            assertThat(Thread.interrupted()).as("process %s still runs", pid).isFalse();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean isRunning(String pid) {
        try {
            return !Files.readString(Path.of("/proc", pid, "stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void aWatchdogThatDiedIsReplaced() throws IOException {
        String child = "echo $PPID $$";
        Children.run(Children.shell(child));
        List<Long> before = watchdogs();
        assertThat(before).hasSize(1);
        assertThat(ProcessHandle.of(before.get(0)).orElseThrow().destroyForcibly())
                .isTrue();
        awaitEnd(before.get(0).toString());

        Children.run(Children.shell(child));
        Children.run(Children.shell(child));

        assertThat(watchdogs()).hasSize(1).doesNotContainAnyElementsOf(before);
    }

    private static List<Long> watchdogs() {
        List<Long> found = new ArrayList<>();
        ProcessHandle.current().children().map(ProcessHandle::pid).forEach(pid -> {
            try {
                if (Files.readString(Path.of("/proc/" + pid + "/cmdline")).contains("sandbox-watchdog")) {
                    found.add(pid);
                }
            } catch (IOException gone) {
                // Not the watchdog.
            }
        });
        return found;
    }

    /** The JVM that is killed. */
    static final class Main {
        /** Each prints the number of the process that is to end too. */
        static final List<String> HOSTILE = List.of(
                "echo $$; trap '' TERM HUP; while :; do sleep 1000; done",
                "env -i /bin/sh -c 'echo $$; while :; do sleep 1000; done'; true",
                "setsid sh -c 'echo $$; sleep 1000 </dev/null >/dev/null 2>&1; true'; true",
                "sh -c 'setsid sh -c \"echo \\$\\$; kill -STOP \\$\\$\" &'; sleep 1000");

        private Main() {}

        public static void main(String[] arguments) throws IOException {
            List<NativeProcess> started = new ArrayList<>();
            Children.run(Children.shell("true"));
            for (String text : HOSTILE) {
                NativeProcess process = Children.start(Children.shell(text));
                started.add(process);
                System.out.println(line(process));
            }
            System.out.println(started.get(1).pid());
            System.out.println(END);
            System.out.flush();
            LockSupport.park();
        }

        private static String line(NativeProcess process) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = process.stdout().read();
                    c != '\n';
                    c = process.stdout().read()) {
                line.append((char) c);
            }
            return line.toString();
        }
    }
}
