package dev.sandbox.mountns;

import dev.sandbox.domain.command.Command;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.StepRequest;
import java.io.FileInputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A JVM of its own that starts many steps at once, with many files open, and says how many ended well. */
final class ManySteps {
    private static final int THREADS = 64;
    private static final int STEPS = 256;

    private ManySteps() {}

    public static void main(String[] arguments) throws Exception {
        int files = Integer.parseInt(arguments[0]);
        List<FileInputStream> open = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            open.add(new FileInputStream("/dev/null"));
        }
        ExecutorService callers =
                arguments[1].equals("virtual") ? virtualThreads() : Executors.newFixedThreadPool(THREADS);
        int ended = 0;
        try (Box box = new Box(Box.backend(Privilege.ofThisProcess()));
                IsolationSession session =
                        box.backend.open(Box.request(box.policy().build()))) {
            List<Future<String>> results = new ArrayList<>();
            for (int i = 0; i < STEPS; i++) {
                String word = "step " + i;
                results.add(callers.submit(() -> {
                    try (SandboxedProcess process = session.start(StepRequest.piped(Command.of("/bin/echo", word)))) {
                        return Box.finish(process).stdout();
                    }
                }));
            }
            for (int i = 0; i < STEPS; i++) {
                ended += results.get(i).get().equals("step " + i + "\n") ? 1 : 0;
            }
        }
        callers.shutdown();
        for (FileInputStream file : open) {
            file.close();
        }
        System.out.println(ended + " steps ended well, dumpable: " + isDumpable());
        // Whoever asks for this JVM's threads now sees them.
        System.in.read();
    }

    /** Another process of the account may read what a dumpable process has. */
    private static boolean isDumpable() throws Exception {
        Object owner = Files.getAttribute(Path.of("/proc/self/environ"), "unix:uid");
        return owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    /** From Java 21 on. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        Method made = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
        return (ExecutorService) made.invoke(null);
    }
}
