package dev.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.isolation.Exchange;
import dev.sandbox.domain.isolation.OutputSink;
import dev.sandbox.domain.isolation.Stdio;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a child has of a JVM's own streams, for library callers who say INHERIT; the JVM is one of its own. */
@Timeout(120)
final class InheritedStreamIT {
    /** Each is what a descriptor of a file or of a folder would give. No redirection: what it is tried on is the stream itself. */
    private static final String ATTACK =
            "for n in 0 1 2; do echo gotcha >/proc/self/fd/$n; : >/proc/self/fd/$n; chmod 777 /proc/self/fd/$n; done; "
                    + "ls -d /proc/self/fd/0/.. /proc/self/fd/1/..; ";

    @TempDir
    private Path folder;

    private File in;
    private File out;
    private File err;

    @BeforeEach
    void makeFiles() throws IOException {
        in = Files.writeString(folder.resolve("in"), "first\nsecond\nthird\n").toFile();
        out = Files.writeString(folder.resolve("out"), "before\n").toFile();
        err = Files.writeString(folder.resolve("err"), "before\n").toFile();
    }

    private static ProcessBuilder jvm(String text) {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                text);
    }

    /** A shell opens its input: a FIFO, which waits for who writes, or a folder, which Java does not open. */
    private static ProcessBuilder shell(ProcessBuilder jvm, Path input) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" <" + input, "sh"));
        command.addAll(jvm.command());
        return new ProcessBuilder(command);
    }

    private int run(String text, Redirect input) throws IOException, InterruptedException {
        return jvm(text)
                .redirectInput(input)
                .redirectOutput(Redirect.appendTo(out))
                .redirectError(Redirect.appendTo(err))
                .start()
                .waitFor();
    }

    @Test
    void filesAreCopiedBothWaysAndCannotBeReachedThroughThem() throws IOException, InterruptedException {
        assertThat(run(ATTACK + "cat; echo words >&2", Redirect.from(in))).isZero();
        assertThat(in).hasContent("first\nsecond\nthird\n");
        assertThat(Files.readString(out.toPath())).startsWith("before\n").endsWith("first\nsecond\nthird\n");
        assertThat(Files.readString(err.toPath())).startsWith("before\n").endsWith("words\n");
        for (File file : new File[] {in, out, err}) {
            assertThat(file.canExecute()).as(file.getName()).isFalse();
        }
    }

    @Test
    void allOfALongOutputArrivesThoughNobodyExchangesAnything() throws IOException, InterruptedException {
        assertThat(run("wait only; head -c 5000000 /dev/zero; exit 3", Redirect.from(in)))
                .isEqualTo(3);
        assertThat(out).hasSize(5_000_000 + "before\n".length());
    }

    @Test
    void aFolderIsRefused() throws IOException, InterruptedException {
        Process jvm = shell(jvm("echo ran"), folder)
                .redirectOutput(Redirect.appendTo(out))
                .redirectError(Redirect.appendTo(err))
                .start();
        assertThat(jvm.waitFor()).isEqualTo(1);
        assertThat(Files.readString(out.toPath())).doesNotContain("ran");
        assertThat(Files.readString(err.toPath())).contains("standard input: is a folder");
    }

    @Test
    void aPipeIsSharedAndOneWithANameIsNot() throws IOException, InterruptedException {
        Process piped = jvm("cat; chmod 777 /proc/self/fd/0")
                .redirectError(Redirect.appendTo(err))
                .start();
        piped.outputWriter().append("through a pipe").close();
        assertThat(piped.inputReader().readLine()).isEqualTo("through a pipe");
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", fifo.toString())
                        .start()
                        .waitFor())
                .isZero();
        Process named = shell(jvm("chmod 777 /proc/self/fd/0; cat"), fifo)
                .redirectError(Redirect.appendTo(err))
                .start();
        Files.writeString(fifo, "through a named one");
        assertThat(named.inputReader().readLine()).isEqualTo("through a named one");
        assertThat(named.waitFor()).isZero();
        assertThat(fifo.toFile().canExecute()).isFalse();
    }

    @Test
    void aDeviceWithoutAnEndIsReadAsFarAsTheChildWants() throws IOException, InterruptedException {
        assertThat(run("head -c 3000 | wc -c", Redirect.from(new File("/dev/zero"))))
                .isZero();
        assertThat(Files.readString(out.toPath())).isEqualTo("before\n3000\n");
    }

    @Test
    void theFilesPositionIsLeftWhereTheChildHasRead() throws IOException, InterruptedException {
        // Two children one after the other, each of which reads one line a byte at a time, and then one that reads
        // nothing.
        assertThat(run("lines", Redirect.from(in))).isZero();
        assertThat(Files.readString(out.toPath())).isEqualTo("before\n1 first\n2 second\nthird\n");
    }

    /** The JVM whose streams they are. */
    public static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            String text = arguments[0];
            if (text.equals("lines")) {
                child("read -r line; echo 1 $line", true);
                child(":", true);
                child("read -r line; echo 2 $line", true);
                System.exit(child("cat", true));
            }
            System.exit(child(text.replace("wait only; ", ""), !text.startsWith("wait only; ")));
        }

        private static int child(String text, boolean exchange) throws InterruptedException {
            OutputSink nothing = (buffer, offset, length) -> {
                throw new IllegalStateException("an inherited stream is nobody's to read");
            };
            try (NativeProcess process = Children.start(Children.shell(text)
                    .stdin(Stdio.INHERIT)
                    .stdout(Stdio.INHERIT)
                    .stderr(Stdio.INHERIT))) {
                if (exchange) {
                    process.exchange(
                            Exchange.builder().stdout(nothing).stderr(nothing).build());
                }
                return process.waitFor(Duration.ofMinutes(1)).orElseThrow().shellCode();
            }
        }
    }
}
