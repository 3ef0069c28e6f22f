package dev.sandbox.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code /bin/true} by us and by others, in one run and taking turns: {@code Compare COMMAND ROUNDS FOLDER}. COMMAND is our
 * {@code bin/sandbox}. Prints medians in milliseconds and writes {@code compare.json} and {@code compare.svg} into FOLDER.
 */
public final class Compare {
    private static final int WARM_UP = 5;

    private Compare() {}

    /** Runs. */
    public static void main(String[] arguments) throws Exception {
        String command = Path.of(arguments[0]).toRealPath().toString();
        int rounds = Integer.parseInt(arguments[1]);
        Path output = Files.createDirectories(Path.of(arguments[2]));
        Path folder = Files.createTempDirectory("compare").toRealPath();
        List<Measured> measured;
        try (Library library = new Library(folder)) {
            List<Contender> all = new ArrayList<>(library.contenders(command));
            all.addAll(new Peers(folder).commands(command));
            measured = measure(all, rounds);
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        report.put("machine", machine());
        report.put("rounds", rounds);
        report.put("milliseconds", measured);
        Files.writeString(
                output.resolve("compare.json"),
                new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report) + "\n");
        Files.writeString(output.resolve("compare.svg"), new Chart(measured, machine()).svg());
        print(measured);
        System.exit(0);
    }

    private static List<Measured> measure(List<Contender> all, int rounds) throws Exception {
        double[][] samples = new double[all.size()][rounds];
        for (int round = -WARM_UP; round < rounds; round++) {
            for (int i = 0; i < all.size(); i++) {
                // Who comes first changes: each contender leaves its own traces in caches for the next.
                int turn = Math.floorMod(i + round, all.size());
                double taken = all.get(turn).turn();
                if (round >= 0) {
                    samples[turn][round] = taken;
                }
            }
        }
        List<Measured> measured = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Arrays.sort(samples[i]);
            measured.add(new Measured(
                    all.get(i).group(),
                    all.get(i).name(),
                    samples[i][rounds / 2],
                    samples[i][rounds / 10],
                    samples[i][rounds * 9 / 10]));
        }
        return measured;
    }

    private static Map<String, String> machine() throws IOException {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put(
                "processor",
                Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                        .filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse(System.getProperty("os.arch")));
        machine.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        machine.put("kernel", System.getProperty("os.version"));
        machine.put("java", System.getProperty("java.runtime.version"));
        machine.put("user", System.getProperty("user.name").equals("root") ? "root" : "ordinary");
        return machine;
    }

    private static void print(List<Measured> measured) {
        for (String group : List.of(Contender.LIBRARY, Contender.COMMAND)) {
            System.out.printf("%-32s %9s %9s %9s %7s%n", group, "median", "p10", "p90", "ratio");
            double base = 0;
            for (Measured one : measured) {
                if (one.group().equals(group)) {
                    base = base == 0 ? one.median() : base;
                    System.out.printf(
                            "%-32s %9.2f %9.2f %9.2f %6.2fx%n",
                            one.name(), one.median(), one.p10(), one.p90(), one.median() / base);
                }
            }
        }
    }
}
