package dev.sandbox.bench;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Other programs that confine a command, those of them that are installed here; each with a view like that of our baseline. */
final class Peers {
    private static final String TRUE = "/bin/true";

    private final Path folder;

    /** @param folder where the commands run, and what they may write */
    Peers(Path folder) {
        this.folder = folder;
    }

    /** As whole processes. What is not on PATH, or does not run here, is left out and named. */
    List<Contender> commands(String sandbox) {
        List<Contender> all = new ArrayList<>();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        all.add(command("java -version", List.of(java, "-version")));
        all.add(command("sandbox run, landlock", List.of(sandbox, "run", "--backend", "landlock", "--", TRUE)));
        all.add(command("sandbox run, mountns", List.of(sandbox, "run", "--backend", "mountns", "--", TRUE)));
        Optional<String> image = Optional.ofNullable(System.getenv("SANDBOX_BENCH_IMAGE"));
        image.ifPresent(name -> all.add(command(
                "sandbox run, docker", List.of(sandbox, "run", "--backend", "docker", "--image", name, "--", TRUE))));
        find("bwrap").ifPresent(bwrap -> {
            List<String> argv = new ArrayList<>(Children.bubblewrapArguments(bwrap));
            argv.addAll(List.of("--bind", folder.toString(), folder.toString(), TRUE));
            all.add(command("bubblewrap", argv));
        });
        find("firejail")
                .ifPresent(firejail -> all.add(command(
                        "firejail",
                        List.of(firejail, "--quiet", "--noprofile", "--private-dev", "--private-tmp", TRUE))));
        find("codex").ifPresent(codex -> all.add(command("codex sandbox", List.of(codex, "sandbox", "--", TRUE))));
        find("srt").ifPresent(srt -> all.add(command("srt", List.of(srt, TRUE))));
        image.flatMap(name -> find("docker"))
                .ifPresent(docker -> all.add(command(
                        "docker run", List.of(docker, "run", "--rm", "--network", "none", image.orElseThrow(), TRUE))));
        all.removeIf(contender -> !runs(contender));
        return all;
    }

    private static boolean runs(Contender contender) {
        try {
            contender.way().run();
            return true;
        } catch (Exception e) {
            System.err.println(contender.name() + " is left out: " + e.getMessage());
            return false;
        }
    }

    private Contender command(String name, List<String> argv) {
        return new Contender(Contender.COMMAND, name, 1, () -> {
            Process process = new ProcessBuilder(argv)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("exit code " + code + ": " + said.strip());
            }
        });
    }

    private static Optional<String> find(String program) {
        for (String entry : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path path = Path.of(entry, program);
            if (Files.isExecutable(path)) {
                return Optional.of(path.toString());
            }
        }
        System.err.println(program + " is left out: not on PATH");
        return Optional.empty();
    }
}
