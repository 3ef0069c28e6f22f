package dev.sandbox.docker;

import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.SandboxedProcess;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.isolation.StepRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.HostPlaces;
import dev.sandbox.linux.InheritedStream;
import dev.sandbox.linux.LinuxSyscalls;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Starts commands under one spec. The first container is started when the session opens; the next command finds it warm, with
 * the same /tmp. Commands that run at the same time each have a container, and a /tmp, of their own.
 */
final class DockerSession implements IsolationSession {
    private static final AbsolutePath TMP = AbsolutePath.of("/tmp");

    private final Engine engine;
    private final SessionRequest request;
    private final ContainerSpec spec;
    private final ImageFacts image;
    private final EngineFacts facts;
    private final HostFiles files;
    private final Queue<WarmContainer> idle = new ConcurrentLinkedQueue<>();
    private final Set<WarmContainer> all = ConcurrentHashMap.newKeySet();
    private final Set<ContainerProcess> running = ConcurrentHashMap.newKeySet();
    private final Optional<AbsolutePath> nothingFolder;
    private final Runnable releasePlaceholders;
    private HostPlaces places;
    private volatile boolean closed;

    DockerSession(
            Engine engine,
            SessionRequest request,
            ContainerSpec spec,
            ImageFacts image,
            EngineFacts facts,
            HostFiles files,
            Runnable releasePlaceholders) {
        this.engine = engine;
        this.request = request;
        this.spec = spec;
        this.image = image;
        this.facts = facts;
        this.files = files;
        this.releasePlaceholders = releasePlaceholders;
        this.places = look();
        this.nothingFolder = needsNothing(spec) ? Optional.of(files.createTemporary(TMP)) : Optional.empty();
        try {
            nothingFolder.ifPresent(this::makeNothing);
            idle.add(startContainer());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static boolean needsNothing(ContainerSpec spec) {
        return spec.mounts().stream().anyMatch(mount -> mount.kind() == ContainerMount.Kind.MASK_FILE);
    }

    private void makeNothing(AbsolutePath folder) {
        files.writeIfMissing(folder, "nothing", "");
        try {
            Files.setPosixFilePermissions(
                    Path.of(folder.resolve("nothing").toString()), PosixFilePermissions.fromString("---------"));
        } catch (IOException e) {
            throw new SandboxUnavailableException("docker", "no unreadable file could be made in " + folder, "", e);
        }
    }

    private WarmContainer startContainer() {
        Optional<AbsolutePath> nothing = nothingFolder.map(folder -> folder.resolve("nothing"));
        ContainerRecipe recipe = new ContainerRecipe(spec, image, facts.userIds(), nothing);
        WarmContainer container = WarmContainer.start(engine, recipe, spec.user());
        all.add(container);
        return container;
    }

    private HostPlaces look() {
        TreeSet<AbsolutePath> bound = new TreeSet<>();
        spec.mounts().stream()
                .filter(mount -> mount.kind().isOnTheHost())
                .map(ContainerMount::target)
                .forEach(bound::add);
        return HostPlaces.of(bound, LinuxSyscalls.host());
    }

    /** A container holds what was there when it was made: what has been replaced since takes another. A deleted one keeps it. */
    private synchronized void letGoOfOutdated() {
        HostPlaces now = look();
        if (!now.equals(places) && now.missing() <= places.missing()) {
            places = now;
            releaseIdle();
        }
    }

    private void releaseIdle() {
        for (WarmContainer warm = idle.poll(); warm != null; warm = idle.poll()) {
            all.remove(warm);
            warm.release();
        }
    }

    @Override
    public SandboxedProcess start(StepRequest step) {
        if (closed) {
            throw new SandboxUnavailableException("docker", "the session is closed", "open another");
        }
        letGoOfOutdated();
        WarmContainer warm = idle.poll();
        if (warm != null) {
            try {
                return start(step, warm);
            } catch (SandboxUnavailableException e) {
                if (!warm.hasEnded()) {
                    throw e;
                }
                all.remove(warm);
            }
        }
        return start(step, startContainer());
    }

    private ContainerProcess start(StepRequest step, WarmContainer container) {
        StepInput input = StepInput.of(step.stdin());
        ExecRequest exec = new ExecRequest(
                argv(step),
                variables(),
                request.policy().workDir().toString(),
                spec.user().spec(),
                input.source(),
                step.stdin() == Stdio.TERMINAL);
        ContainerProcess process = ContainerProcess.start(engine, container, exec, step, input, this::ended);
        running.add(process);
        return process;
    }

    /**
     * The engine reads two pipes and keeps no order between them: so the step has one. A terminal's size it sets only when the command
     * runs already: so the step does.
     */
    private static List<String> argv(StepRequest step) {
        List<String> argv = new ArrayList<>();
        if (step.stdin() == Stdio.TERMINAL) {
            String size =
                    "rows " + step.window().rows() + " cols " + step.window().columns();
            argv.addAll(List.of("/bin/sh", "-c", "stty " + size + " 2>/dev/null; exec \"$0\" \"$@\""));
        }
        if (step.stderr() == Stdio.MERGED) {
            argv.addAll(List.of("/bin/sh", "-c", "exec \"$0\" \"$@\" 2>&1"));
        }
        argv.addAll(step.command().argv());
        return argv;
    }

    private List<String> variables() {
        Set<String> unwanted = new TreeSet<>(image.variables());
        unwanted.addAll(List.of("HOSTNAME", "TERM")); // the engine's own
        unwanted.removeAll(request.environment().variables().keySet());
        List<String> variables = new ArrayList<>(unwanted);
        request.environment().variables().forEach((name, value) -> variables.add(name + "=" + value));
        return variables;
    }

    private void ended(ContainerProcess process, WarmContainer container) {
        running.remove(process);
        if (container.hasEnded()) {
            all.remove(container);
        } else {
            idle.add(container);
        }
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(ContainerProcess::cancel);
        releaseIdle();
        all.forEach(WarmContainer::close);
        all.clear();
        // Only now: while a container runs, a placeholder's removal would lift the block that stands on it.
        releasePlaceholders.run();
        nothingFolder.ifPresent(files::removeTree);
    }

    /** The bytes of the JVM's own, as native backends hand them on; no descriptor leaves the JVM. */
    private static Optional<InputStream> inherited() {
        return switch (InheritedStream.of(0, LinuxSyscalls.host())) {
            case SHARED, COPIED, COPIED_FROM_FILE -> Optional.of(new FileInputStream(FileDescriptor.in));
            case NONE -> Optional.empty();
        };
    }

    /** A step's standard input: where the engine reads it from, and where the caller writes it. */
    record StepInput(Optional<InputStream> source, Optional<BytePipe> pipe) {
        static StepInput of(Stdio stdin) {
            return switch (stdin) {
                case MERGED -> throw new IllegalArgumentException("an input cannot be merged");
                case NULL -> new StepInput(Optional.empty(), Optional.empty());
                case INHERIT -> new StepInput(inherited(), Optional.empty());
                case PIPE, TERMINAL -> {
                    BytePipe pipe = new BytePipe();
                    yield new StepInput(Optional.of(pipe.source()), Optional.of(pipe));
                }
            };
        }
    }
}
