package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;

/**
 * The one POSIX script that carries out a plan in fresh namespaces and then holds them. It is read from descriptor 4, so that neither
 * it nor the policy in it stands in an argument list. One function, called on the last line: the shell has read all of it before it does
 * anything, and what follows on 4 is left for {@code read}. It answers on descriptor 3:
 *
 * <pre>
 * staged            there is a new root to fill; waits for a line on 4
 * entered           the mounts are made and the host is let go of
 * failed: WHAT      with what a tool complained of in the lines before
 * </pre>
 *
 * It ends when descriptor 4 does: with the session, or with the JVM. It is the init of a PID namespace in which every step has its own,
 * so the kernel then kills all of them.
 */
final class RoomScript {
    static final String STAGED = "staged";
    static final String ENTERED = "entered";

    /** The line that lets it go on. */
    static final String GO = "go\n";

    /** Where the fstab lies in the new root; the private /proc comes to lie over it. Not in a pipe: mount(8) reads a regular file. */
    static final String FSTAB = "proc/fstab";

    private final MountPlan plan;
    private final AbsolutePath stage;
    private final Tools tools;
    private final StringBuilder text = new StringBuilder(4096);

    private RoomScript(MountPlan plan, AbsolutePath stage, Tools tools) {
        this.plan = plan;
        this.stage = stage;
        this.tools = tools;
    }

    /**
     * Renders.
     *
     * @param stage a directory of the host that no bind touches; the new root is built there
     */
    static String render(MountPlan plan, AbsolutePath stage, Tools tools) {
        RoomScript script = new RoomScript(plan, stage, tools);
        script.prologue();
        script.root();
        script.mounts();
        script.enter();
        script.hold();
        return script.text.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void checked(String command, String what) {
        line(command + " || fail " + ShellText.quote(what));
    }

    private static String say(String word) {
        return "printf '" + word + "\\n' >&3";
    }

    private void prologue() {
        line(Answers.FAIL);
        line("main() {");
        line("exec 2>&3 >/dev/null");
        tools.optional("hostname").ifPresent(hostname -> line(hostname + " " + MountPlan.HOST_NAME + " &"));
        if (plan.network() == MountPlan.Network.NONE) {
            tools.optional("ip").ifPresent(ip -> line(ip + " link set lo up &"));
        }
    }

    private void root() {
        long bytes = plan.operations().stream()
                .filter(MountOperation.RootFileSystem.class::isInstance)
                .mapToLong(root -> ((MountOperation.RootFileSystem) root).bytes())
                .sum();
        String options = "mode=0755,nosuid,nodev,size=" + bytes;
        checked(
                tools.get("mount") + " -i -t tmpfs -o " + options + " sandbox " + ShellText.quote(stage.toString()),
                "mount the new root");
        line(say(STAGED));
        line("read word <&4 || exit 1");
    }

    private void mounts() {
        String fstab = stage.resolve(FSTAB).toString();
        checked(tools.get("mount") + " -i -a -T " + ShellText.quote(fstab), "mount the binds");
    }

    private void enter() {
        checked("cd " + ShellText.quote(stage.toString()), "enter the new root");
        checked(tools.get("pivot_root") + " . tmp", "pivot_root");
        checked(tools.get("umount") + " -i -l /tmp", "let go of the host's file system");
        line("wait");
        line(say(ENTERED));
    }

    /** While it waits for one child, a shell also takes the orphans of steps that were killed: dash cannot be told to ignore SIGCHLD. */
    private void hold() {
        line("exec 2>/dev/null 3>&-");
        line("{ read word <&4; } &");
        line("wait $!");
        line("}");
        line("main");
    }
}
