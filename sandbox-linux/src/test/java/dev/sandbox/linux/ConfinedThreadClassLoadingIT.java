package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.OutputSink.Demand;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.Limits;
import dev.sandbox.linux.seccomp.Filters;
import dev.sandbox.linux.seccomp.SeccompStep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fresh JVM logs each class that it loads with the thread that loads it. The confined thread may load what it likes before
 * its first step, and nothing from there to its end.
 */
final class ConfinedThreadClassLoadingIT {
    private static final String CONFINED = "CONFINED ";

    @ParameterizedTest
    @ValueSource(strings = {"/bin/true", "/no/such", "/etc/passwd"})
    void firstConfinedThreadLoadsNoClassOnceItIsRestricted(String program) throws IOException, InterruptedException {
        List<String> log = log("-Xshare:auto", program);
        String thread = confinedThread(log);
        assertThat(log.subList(log.indexOf(CONFINED + thread), log.size()))
                .noneMatch(line -> line.startsWith("[" + thread + "]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/true", "/no/such", "/etc/passwd"})
    void norDoesItWhenLimitsAreAskedFor(String program) throws IOException, InterruptedException {
        List<String> log = log("-Dlimited=true", program);
        String thread = confinedThread(log);
        assertThat(log.subList(log.indexOf(CONFINED + thread), log.size()))
                .noneMatch(line -> line.startsWith("[" + thread + "]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/true", "/no/such", "/etc/passwd"})
    void norDoesItWhenItTakesAnotherIdentity(String program) throws IOException, InterruptedException {
        List<String> log = log("-Drunas=true", program);
        String thread = confinedThread(log);
        assertThat(log.subList(log.indexOf(CONFINED + thread), log.size()))
                .noneMatch(line -> line.startsWith("[" + thread + "]"));
    }

    @Test
    void logWouldShowAClassThatTheConfinedThreadLoads() throws IOException, InterruptedException {
        List<String> log = log("-Dload=true", "/bin/true");
        assertThat(log).anyMatch(line -> line.startsWith("[" + confinedThread(log) + "]"));
    }

    private static String confinedThread(List<String> log) {
        return log.stream()
                .filter(line -> line.startsWith(CONFINED))
                .map(line -> line.substring(CONFINED.length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(String.join("\n", log)));
    }

    private static List<String> log(String option, String program) throws IOException, InterruptedException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:stdout:tid",
                        option,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        program)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jvm.waitFor()).isZero();
        return out.lines().toList();
    }

    /** The JVM that is watched. */
    static final class Main {
        private static final Limits LIMITS = Boolean.getBoolean("limited")
                ? Limits.builder().openFiles(32).build()
                : Limits.builder().build();

        /** For an ordinary user the first of its calls fails, which is as good. */
        private static final List<ConfinementStep> RUN_AS = Boolean.getBoolean("runas")
                ? ConfinementSteps.runAs(RawSyscalls.host(), new Identity(65_534, 65_534))
                : List.of();

        private Main() {}

        public static void main(String[] arguments) {
            ConfinedSpawn spawn = new ConfinedSpawn();
            try (SeccompStep seccomp = new SeccompStep(Filters.strictest());
                    NativeProcess process = spawn.spawn(Children.program(arguments[0])
                            .limits(LIMITS)
                            .addConfinement(new Announce())
                            .addAllConfinement(RUN_AS)
                            .addConfinement(ConfinementSteps.noNewPrivs(), ConfinementSteps.dropCapabilities(), seccomp)
                            .build())) {
                process.exchange(Exchange.builder()
                        .stdout((buffer, offset, length) -> Demand.MORE)
                        .stderr((buffer, offset, length) -> Demand.MORE)
                        .build());
            } catch (RuntimeException notStarted) {
                // One of the cases.
            }
        }
    }

    /** Writes the thread's number between the lines of the log, by a raw write. */
    private static final class Announce implements ConfinementStep {
        private static final boolean LOAD = Boolean.getBoolean("load");
        private static final int DIGITS = 8;

        private final RawSyscalls raw = RawSyscalls.host();
        private final byte[] text = ("\n" + CONFINED).getBytes(StandardCharsets.US_ASCII);
        private final long address = new NativeArena().allocate(text.length + DIGITS + 1L);

        @Override
        public String name() {
            return "announce";
        }

        @Override
        public int apply() {
            NativeRuntime.MEMORY.putByteArray(address, text, 0, text.length);
            int tid = raw.gettid();
            int digits = 0;
            for (int rest = tid; rest > 0; rest /= 10) {
                digits++;
            }
            for (int i = digits - 1; i >= 0; i--) {
                NativeRuntime.MEMORY.putByte(address + text.length + i, (byte) ('0' + tid % 10));
                tid /= 10;
            }
            NativeRuntime.MEMORY.putByte(address + text.length + digits, (byte) '\n');
            raw.write(1, address, text.length + digits + 1);
            return LOAD ? Late.ERRNO : 0;
        }
    }

    /** Loaded by the confined thread in the counter-test. */
    private static final class Late {
        // Not a compile-time constant, which would load nothing.
        static final int ERRNO = Integer.parseInt("0");
    }
}
