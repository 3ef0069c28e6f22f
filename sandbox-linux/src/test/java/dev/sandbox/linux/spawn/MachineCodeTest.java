package dev.sandbox.linux.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sandbox.linux.Children;
import dev.sandbox.linux.uapi.Architecture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes against their sources, by the assembler and the disassembler of each architecture. */
final class MachineCodeTest {
    @TempDir
    Path folder;

    private static String tool(Architecture architecture, String name) {
        String tool = switch (architecture) {
            case X86_64 -> "x86_64-linux-gnu-" + name;
            case AARCH64 -> "aarch64-linux-gnu-" + name;
        };
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/" + tool)), "needs " + tool);
        return "/usr/bin/" + tool;
    }

    private static String run(String program, String... arguments) {
        Children.Outcome outcome = Children.run(Children.program(program, arguments));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        return outcome.out();
    }

    private static String source(Architecture architecture) {
        String name = switch (architecture) {
            case X86_64 -> "spawn-x86_64.S";
            case AARCH64 -> "spawn-aarch64.S";
        };
        return Path.of("src/main/asm", name).toAbsolutePath().toString();
    }

    private String assembled(Architecture architecture) {
        String object = folder.resolve("spawn.o").toString();
        run(tool(architecture, "as"), "-o", object, source(architecture));
        return object;
    }

    @ParameterizedTest
    @EnumSource(Architecture.class)
    void theSourceAssemblesToTheseBytes(Architecture architecture) throws IOException {
        String object = assembled(architecture);
        Path code = folder.resolve("spawn.bin");
        run(tool(architecture, "objcopy"), "-O", "binary", "-j", ".text", object, code.toString());
        assertThat(MachineCode.of(architecture)).isEqualTo(Files.readAllBytes(code));
    }

    @ParameterizedTest
    @EnumSource(Architecture.class)
    void everyInstructionHasAName(Architecture architecture) throws IOException {
        Path code = Files.write(folder.resolve("spawn.bin"), MachineCode.of(architecture));
        String machine = switch (architecture) {
            case X86_64 -> "i386:x86-64";
            case AARCH64 -> "aarch64";
        };
        List<String> lines = run(tool(architecture, "objdump"), "-D", "-b", "binary", "-m", machine, code.toString())
                .lines()
                .filter(line -> line.matches("\\s+[0-9a-f]+:\\t.*"))
                .toList();
        assertThat(lines).hasSizeGreaterThan(80).noneMatch(line -> line.contains("(bad)") || line.contains(".inst"));
    }

    @ParameterizedTest
    @EnumSource(Architecture.class)
    void theCodeRefersToNothingOutside(Architecture architecture) {
        assertThat(run(tool(architecture, "objdump"), "-r", assembled(architecture)))
                .doesNotContain("RELOCATION RECORDS");
    }

    /** qemu-user makes a vfork a fork: what the child stores is not seen, but what it does is. */
    @Test
    void theCodeForArm64RunsUnderEmulation() {
        String qemu = "/usr/bin/qemu-aarch64-static";
        assumeTrue(Files.isExecutable(Path.of(qemu)), "needs qemu-user-static");
        String object = folder.resolve("emulated.o").toString();
        String program = folder.resolve("emulated").toString();
        Architecture arm64 = Architecture.AARCH64;
        String sources = Path.of("src/main/asm").toAbsolutePath().toString();
        String harness =
                Path.of("src/test/asm/emulated-aarch64.S").toAbsolutePath().toString();
        run(tool(arm64, "as"), "-I", sources, "-o", object, harness);
        run(tool(arm64, "ld"), "-N", "--no-warn-rwx-segments", "-o", program, object);
        assertThat(run(qemu, program)).isEqualTo("child\n");
    }
}
