package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.LimitedLaunch;
import dev.sandbox.mountns.MountOperation.DirectoryPlaceholder;
import dev.sandbox.mountns.MountOperation.FilePlaceholder;
import dev.sandbox.mountns.MountOperation.SymbolicLink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The one POSIX script that carries out a plan in fresh namespaces and then becomes their init. It is read from descriptor 4, so
 * that neither it nor the policy in it stands in an argument list; it answers on descriptor 3, {@code ready N} or what went wrong,
 * and waits for a line {@code go} on 4 before the step starts. One function, called on the last line: the shell has read all of it
 * before it does anything, and what follows on 4 is left for {@code read}.
 */
final class Script {
    /** What mkdir is given at once; the kernel bounds an argument list by a quarter of the stack limit. */
    private static final int MOST_ARGUMENT_BYTES = 64 * 1024;

    private static final AbsolutePath FSTAB = AbsolutePath.of("/proc/fstab");

    private final MountPlan plan;
    private final AbsolutePath stage;
    private final Tools tools;
    private final StringBuilder text = new StringBuilder(4096);

    private Script(MountPlan plan, AbsolutePath stage, Tools tools) {
        this.plan = plan;
        this.stage = stage;
        this.tools = tools;
    }

    /**
     * Renders.
     *
     * @param host the mounts that the binds take their sources from
     * @param stage a directory of the host that no bind touches; the new root is built there
     * @param hostLinks true for a link that the host has in the same words
     * @param umask what the step's is to be
     */
    static String render(
            MountPlan plan,
            Launch launch,
            MountTable host,
            AbsolutePath stage,
            Tools tools,
            Predicate<SymbolicLink> hostLinks,
            String umask) {
        Script script = new Script(plan, stage, tools);
        script.prologue();
        script.placeholders();
        script.links(hostLinks);
        script.mounts(Fstab.lines(plan, host, stage));
        script.enter();
        script.launch(launch, umask);
        return script.text.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void checked(String command, String what) {
        line(command + " || fail " + ShellText.quote(what));
    }

    private void prologue() {
        line("fail() { printf 'failed: %s\\n' \"$1\" >&3; exit 1; }");
        line("main() {");
        line("exec 5<&0 6>&2 0</dev/null 2>&3");
        line("umask 022");
        tools.optional("hostname").ifPresent(hostname -> line(hostname + " " + MountPlan.HOST_NAME));
        if (plan.network() == MountPlan.Network.NONE) {
            tools.optional("ip").ifPresent(ip -> line(ip + " link set lo up"));
        }
        long bytes = plan.operations().stream()
                .filter(MountOperation.RootFileSystem.class::isInstance)
                .mapToLong(root -> ((MountOperation.RootFileSystem) root).bytes())
                .sum();
        String options = "mode=0755,nosuid,nodev,size=" + bytes;
        checked(
                tools.get("mount") + " -t tmpfs -o " + options + " sandbox " + ShellText.quote(stage.toString()),
                "mount the new root");
    }

    private void placeholders() {
        Map<Integer, List<String>> byMode = new LinkedHashMap<>();
        // The widest first: a plain mkdir -p would make them as parents of others, with the ordinary mode.
        byMode.put(01777, new ArrayList<>());
        byMode.put(0755, new ArrayList<>());
        List<String> files = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (MountOperation operation : plan.operations()) {
            if (operation instanceof DirectoryPlaceholder directory) {
                byMode.computeIfAbsent(directory.mode(), any -> new ArrayList<>())
                        .add(staged(directory.target()));
            } else if (operation instanceof FilePlaceholder file) {
                (file.mode() == 0 ? unreadable : files).add(staged(file.target()));
            }
        }
        byMode.forEach((mode, paths) -> inBatches(
                tools.get("mkdir") + " -p -m " + Integer.toOctalString(mode) + " --", paths, "", "make directories"));
        files.forEach(path -> line(": > " + ShellText.quote(path)));
        if (!unreadable.isEmpty()) {
            line("umask 777");
            unreadable.forEach(path -> line(": > " + ShellText.quote(path)));
            line("umask 022");
        }
    }

    private void inBatches(String command, Collection<String> arguments, String last, String what) {
        List<String> batch = new ArrayList<>();
        int bytes = 0;
        for (String argument : arguments) {
            batch.add(argument);
            bytes += argument.length() * 3;
            if (bytes > MOST_ARGUMENT_BYTES) {
                checked(command + " " + ShellText.quoteAll(batch) + last, what);
                batch.clear();
                bytes = 0;
            }
        }
        if (!batch.isEmpty()) {
            checked(command + " " + ShellText.quoteAll(batch) + last, what);
        }
    }

    /** Links that the host has as well are copied by one cp; ln would need a process for each. */
    private void links(Predicate<SymbolicLink> hostLinks) {
        List<String> copied = new ArrayList<>();
        List<SymbolicLink> made = new ArrayList<>();
        for (MountOperation operation : plan.operations()) {
            if (operation instanceof SymbolicLink link) {
                if (hostLinks.test(link)) {
                    copied.add(link.target().toString());
                } else {
                    made.add(link);
                }
            }
        }
        inBatches(tools.get("cp") + " -P --parents --", copied, " " + ShellText.quote(stage + "/"), "copy links");
        made.forEach(link -> checked(
                tools.get("ln") + " -s -- " + ShellText.quote(link.text()) + " "
                        + ShellText.quote(staged(link.target())),
                "make the link " + link.target()));
    }

    private void mounts(List<String> fstab) {
        // Not by a pipe: mount(8) reads a regular file only. The private /proc comes to lie over it. Escaped: no quote
        // is in it.
        String file = staged(FSTAB);
        line("printf '%s\\n' '" + String.join("\n", fstab) + "' > " + ShellText.quote(file)
                + " || fail 'write the fstab'");
        checked(tools.get("mount") + " -a -T " + ShellText.quote(file), "mount the binds");
    }

    private void enter() {
        checked("cd " + ShellText.quote(stage.toString()), "enter the new root");
        checked(tools.get("pivot_root") + " . tmp", "pivot_root");
        checked(tools.get("umount") + " -l /tmp", "let go of the host's file system");
        checked("cd " + ShellText.quote(plan.workDir().toString()), "enter work_dir");
    }

    private void launch(Launch launch, String umask) {
        line("found=missing");
        List<String> programs = launch.programs();
        for (int i = 0; i < programs.size(); i++) {
            String program = ShellText.quote(programs.get(i));
            line("case $found in ready*) ;; *) if [ -f " + program + " ] && [ -x " + program + " ]; then found='ready "
                    + i + "'; program=" + program + "; elif [ -e " + program + " ]; then found='refused " + i
                    + "'; fi;; esac");
        }
        line("printf '%s\\n' \"$found\" >&3");
        line("read go <&4");
        line("[ \"$go\" = go ] || exit 1");
        line("umask " + umask);
        List<String> argv = launch.step().command().argv();
        line("exec " + tools.get("setpriv")
                + " --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all "
                + tools.get("sh") + " -c " + ShellText.quote(init(launch)) + " sandbox-init \"$program\" "
                + ShellText.quoteAll(argv.subList(1, argv.size())));
        line("}");
        line("main");
    }

    /**
     * The namespace's first process, without capabilities by now. The variables came under other names: a LD_PRELOAD or an
     * ENV among them would have reached the programs above, which may do more than the step. A session of its own keeps the step's
     * {@code kill 0} from the processes outside.
     */
    private String init(Launch launch) {
        return "exec 2>/dev/null 3>&- 4<&-\n"
                + "(\n"
                + "unset PWD OLDPWD SHLVL\n"
                + "while [ \"${_sandbox_i:=0}\" -lt " + MangledEnvironment.count(launch.environment()) + " ]; do\n"
                + "eval \"export \\\"\\$_SANDBOX_$_sandbox_i\\\"; unset _SANDBOX_$_sandbox_i\"\n"
                + "_sandbox_i=$((_sandbox_i + 1))\n"
                + "done\n"
                + "unset _sandbox_i\n"
                + "exec 0<&5 2>&6 5<&- 6>&-\n"
                + "exec " + tools.get("setsid") + " -- " + limited(launch) + "\"$@\"\n"
                + ")\n"
                + "exit $?\n";
    }

    private static String limited(Launch launch) {
        List<String> prefix = LimitedLaunch.prefix(launch.limits(), LimitedLaunch.Counted.NAMESPACE);
        return prefix.isEmpty() ? "" : ShellText.quoteAll(prefix) + " ";
    }

    private String staged(AbsolutePath path) {
        return stage.resolve(AbsolutePath.ROOT.relativize(path)).toString();
    }
}
