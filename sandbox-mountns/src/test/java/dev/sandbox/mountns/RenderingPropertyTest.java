package dev.sandbox.mountns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.UserNamespaces;
import dev.sandbox.linux.OctalText;
import dev.sandbox.linux.seccomp.FilterSettings;
import dev.sandbox.linux.seccomp.SyscallFilter;
import dev.sandbox.mountns.MountOperation.Bind;
import dev.sandbox.mountns.MountOperation.Mode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever is in a name, the two languages that the script enforcer writes give it back. */
class RenderingPropertyTest {
    private static final MountTable HOST = MountTable.parse(Stream.of("1 0 8:1 / / rw,relatime - ext4 /dev/a rw"));
    private static final SyscallFilter FILTER = new SyscallFilter(
            new FilterSettings(FilterSettings.Network.OPEN, FilterSettings.UnixSockets.OPEN, UserNamespaces.ALLOW));
    private static final AbsolutePath STAGE = AbsolutePath.of("/mnt");

    @Provide
    Arbitrary<AbsolutePath> paths() {
        Arbitrary<String> name = Arbitraries.strings()
                .all()
                .ofMinLength(1)
                .ofMaxLength(12)
                .filter(text ->
                        text.indexOf('/') < 0 && text.indexOf('\0') < 0 && !text.equals(".") && !text.equals(".."))
                .filter(text -> StandardCharsets.UTF_8.newEncoder().canEncode(text));
        return name.list().ofMinSize(1).ofMaxSize(4).map(names -> AbsolutePath.of("/" + String.join("/", names)));
    }

    @Property
    void fstabParsesBackToTheSameBinds(@ForAll List<@From("paths") AbsolutePath> paths) {
        List<MountOperation> binds = new ArrayList<>();
        paths.forEach(path -> binds.add(Bind.ofHost(path, EntryKind.FILE, Mode.READ_ONLY)));
        MountPlan plan = new MountPlan(binds, List.of(), MountPlan.Network.SHARED, STAGE, FILTER, Optional.empty());
        List<MountOperation> parsed = new ArrayList<>();
        for (String line : Fstab.lines(plan, HOST, STAGE)) {
            String[] fields = line.split(" ", -1);
            assertThat(fields).hasSize(6);
            assertThat(line).matches("[\\x21-\\x7e ]*").doesNotContain("'");
            AbsolutePath source = AbsolutePath.of(OctalText.unescape(fields[0]));
            assertThat(OctalText.unescape(fields[1])).isEqualTo("/mnt" + source);
            assertThat(fields[3]).isEqualTo("rbind,ro,nosuid,nodev");
            parsed.add(Bind.ofHost(source, EntryKind.FILE, Mode.READ_ONLY));
        }
        assertThat(parsed).isEqualTo(binds);
    }

    @Property(tries = 60)
    void aShellReadsAQuotedNameAsOneWord(@ForAll("paths") AbsolutePath path) throws Exception {
        String script = "printf '%s' " + ShellText.quote(path.toString());
        Process shell = new ProcessBuilder("/bin/sh").start();
        shell.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
        shell.getOutputStream().close();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(path.toString());
    }
}
