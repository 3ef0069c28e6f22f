package dev.sandbox.app.cli;

import dev.sandbox.app.config.Quantity;
import dev.sandbox.domain.policy.Limits;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that bound a step. */
final class LimitOptions {
    @Option(names = "--timeout", paramLabel = "30s", description = "End the command after this time.")
    @Nullable
    String timeout;

    @Option(
            names = "--max-output",
            paramLabel = "10MiB",
            description = "Keep at most this much of each output, head and tail (with --json).")
    @Nullable
    String maxOutput;

    @Option(names = "--memory", paramLabel = "512MiB", description = "Bound the memory.")
    @Nullable
    String memory;

    @Option(names = "--max-processes", paramLabel = "64", description = "Bound the number of processes.")
    @Nullable
    Long maxProcesses;

    @Option(names = "--max-file-size", paramLabel = "1GiB", description = "Bound the size of a file.")
    @Nullable
    String maxFileSize;

    @Option(names = "--max-open-files", paramLabel = "1024", description = "Bound the open files.")
    @Nullable
    Long maxOpenFiles;

    @Option(names = "--cpu-time", paramLabel = "10s", description = "Bound each process's time on processors.")
    @Nullable
    String cpuTime;

    /** What is given, with the options in its place. */
    Limits addTo(Limits given) {
        Limits.Builder merged = Limits.builder().from(given);
        Optional.ofNullable(timeout)
                .map(text -> OptionWords.read("--timeout", text, Quantity::duration))
                .ifPresent((Duration d) -> merged.timeout(d));
        Optional.ofNullable(maxOutput)
                .map(text -> OptionWords.read("--max-output", text, Quantity::bytes))
                .ifPresent(merged::output);
        Optional.ofNullable(memory)
                .map(text -> OptionWords.read("--memory", text, Quantity::memory))
                .ifPresent(merged::memory);
        Optional.ofNullable(maxFileSize)
                .map(text -> OptionWords.read("--max-file-size", text, Quantity::bytes))
                .ifPresent(merged::fileSize);
        Optional.ofNullable(cpuTime)
                .map(text -> OptionWords.read("--cpu-time", text, Quantity::duration))
                .ifPresent((Duration d) -> merged.cpuTime(d));
        Optional.ofNullable(maxProcesses)
                .map(n -> positive("--max-processes", n))
                .ifPresent(merged::processes);
        Optional.ofNullable(maxOpenFiles)
                .map(n -> positive("--max-open-files", n))
                .ifPresent(merged::openFiles);
        return merged.build();
    }

    private static long positive(String option, long value) {
        if (value < 1) {
            throw new UsageException(option + ": " + value + " is not a whole number from 1 on");
        }
        return value;
    }
}
