package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.linux.LimitedLaunch;
import dev.sandbox.linux.MangledEnvironment;
import java.util.List;

/**
 * The first process of a step's PID namespace, without capabilities by now. It says on descriptor 3 what became of the program:
 *
 * <pre>
 * ready N     the program is candidate N, and is executed now
 * missing     there is none
 * refused N   candidate N may not be executed
 * </pre>
 *
 * After {@code ready}, anything more there says that a signal ended the program: the exit code does not tell 128+N from one.
 *
 * The variables come under other names: a LD_PRELOAD or an ENV among them would have reached programs that may do more than the step.
 * A session of its own keeps the step's {@code kill 0} from the processes outside, and has the step's terminal, if it gets one, to itself.
 */
final class StepScript {
    static final String READY = "ready ";
    static final String MISSING = "missing";
    static final String REFUSED = "refused ";

    private final StringBuilder text = new StringBuilder(1024);

    private StepScript() {}

    /**
     * Renders; the program's arguments are the script's.
     *
     * @param descriptors how many follow 3 that the step must not get
     */
    static String render(Launch launch, AbsolutePath workDir, Tools tools, int descriptors, String umask) {
        StepScript script = new StepScript();
        for (int i = 0; i < descriptors; i++) {
            script.line("exec " + (4 + i) + "<&-");
        }
        script.line("exec 4>&2 2>/dev/null");
        script.line(Answers.FAIL);
        script.line("cd " + ShellText.quote(workDir.toString()) + " || fail 'enter work_dir'");
        script.find(launch.programs());
        script.line("(");
        script.line("unset found program");
        MangledEnvironment.restoring(launch.environment()).forEach(script::line);
        script.line("umask " + umask);
        script.line("exec 2>&4 4>&-");
        script.line("exec " + tools.get("setsid") + terminal(launch) + " -- " + limited(launch) + "\"$@\"");
        script.line(")");
        script.line("exit $?");
        return script.text.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void find(List<String> programs) {
        line("found=" + MISSING);
        for (int i = 0; i < programs.size(); i++) {
            String program = ShellText.quote(programs.get(i));
            line("case $found in " + READY.trim() + "*) ;; *) if [ -f " + program + " ] && [ -x " + program
                    + " ]; then found='" + READY + i + "'; program=" + program + "; elif [ -e " + program
                    + " ]; then found='" + REFUSED + i + "'; fi;; esac");
        }
        line("printf '%s\\n' \"$found\" >&3");
        line("case $found in " + READY.trim() + "*) ;; *) exit 127;; esac");
        line("set -- \"$program\" \"$@\"");
        // The shell complains of a signal that ended the step: that goes to whoever started it.
        line("exec 2>&3 3>&-");
    }

    private static String terminal(Launch launch) {
        return launch.step().stdin() == Stdio.TERMINAL ? " -c" : "";
    }

    private static String limited(Launch launch) {
        List<String> prefix = LimitedLaunch.prefix(launch.limits(), LimitedLaunch.Counted.NAMESPACE);
        return prefix.isEmpty() ? "" : ShellText.quoteAll(prefix) + " ";
    }
}
