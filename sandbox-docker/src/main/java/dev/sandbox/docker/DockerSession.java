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
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.SyscallException;
import java.io.IOException;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Starts commands under one spec. The first container is started when the session opens; the next command finds it warm, with
 * the same /tmp. Commands that run at the same time each have a container, and a /tmp, of their own.
 */
final class DockerSession implements IsolationSession {
    private static final LinuxSyscalls SYSCALLS = LinuxSyscalls.host();
    private static final int MOST_TRIES = 3;

    /** Before the second try; twice that before the third: who swaps once is done by then. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

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
    private final BlockWatch blocked;
    private HostPlaces places;
    private int masked;
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
        this.blocked = new BlockWatch(spec, SYSCALLS);
        this.nothingFolder = needsNothing(spec) ? Optional.of(files.createHidden()) : Optional.empty();
        try {
            nothingFolder.ifPresent(this::makeNothing);
            masked = watch();
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

    /** One that shows what was meant; tried again when somebody swaps files under the engine's hands. */
    private WarmContainer startContainer() {
        Optional<AbsolutePath> nothing = nothingFolder.map(folder -> folder.resolve("nothing"));
        ContainerRecipe recipe = new ContainerRecipe(spec, image, facts, nothing);
        String difference = "";
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                int watched = watch();
                MountCheck check = MountCheck.of(spec, nothing, SYSCALLS);
                WarmContainer container = WarmContainer.start(engine, recipe, spec.user());
                all.add(container);
                Optional<String> found = checked(container, check, watched);
                if (found.isEmpty()) {
                    return container;
                }
                difference = found.get();
            } catch (SyscallException e) {
                difference = String.valueOf(e.getMessage());
            }
            LockSupport.parkNanos(PAUSE_NANOS << tries);
        }
        throw new SandboxUnavailableException(
                "docker",
                "the container does not show what the policy resolved to: " + difference,
                "something moves files while the engine mounts them: end it, and try again");
    }

    /** Whatever is wrong with it, nothing is left of it. */
    private Optional<String> checked(WarmContainer container, MountCheck check, int watched) {
        boolean right = false;
        try {
            Optional<String> difference = container.difference(check, SYSCALLS);
            if (difference.isEmpty() && watch() != watched) {
                difference = Optional.of("a blocked path was replaced meanwhile"); // its mask stands on what is gone
            }
            right = difference.isEmpty();
            return difference;
        } finally {
            if (!right) {
                all.remove(container);
                container.close();
            }
        }
    }

    private int watch() {
        return blocked.look(running.isEmpty() ? BlockWatch.Steps.NONE : BlockWatch.Steps.RUNNING);
    }

    private HostPlaces look() {
        TreeSet<AbsolutePath> bound = new TreeSet<>();
        spec.mounts().stream()
                .filter(mount -> mount.kind().isOnTheHost())
                .map(ContainerMount::source)
                .forEach(bound::add);
        return HostPlaces.of(bound, SYSCALLS);
    }

    /** A container holds what was there when it was made: what has been replaced since takes another. A deleted one keeps it. */
    private synchronized void letGoOfOutdated() {
        int watched = watch();
        if (watched != masked) {
            masked = watched;
            releaseIdle();
        }
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
    private List<String> argv(StepRequest step) {
        List<String> argv = new ArrayList<>();
        if (facts.kind() == EngineFacts.Kind.PODMAN) {
            // It takes no name without a value for "remove it", as Docker does.
            argv.addAll(List.of("/bin/sh", "-c", "unset " + plainNames() + "; exec \"$0\" \"$@\""));
        }
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
        List<String> variables = new ArrayList<>();
        if (facts.kind() == EngineFacts.Kind.DOCKER) {
            variables.addAll(unwanted());
        }
        request.environment().variables().forEach((name, value) -> variables.add(name + "=" + value));
        return variables;
    }

    /** Those that a shell knows: it hands no others on. */
    private String plainNames() {
        return unwanted().stream()
                .filter(name -> name.matches("[A-Za-z_][A-Za-z0-9_]*"))
                .collect(Collectors.joining(" "));
    }

    /** The image's variables and the engine's own, as far as the step does not have them anew. */
    private Set<String> unwanted() {
        Set<String> unwanted = new TreeSet<>(image.variables());
        unwanted.addAll(
                switch (facts.kind()) {
                    case DOCKER -> List.of("HOSTNAME", "TERM");
                    case PODMAN -> List.of("HOSTNAME", "TERM", "HOME", "container");
                });
        unwanted.removeAll(request.environment().variables().keySet());
        return unwanted;
    }

    private Optional<String> ended(ContainerProcess process, WarmContainer container) {
        running.remove(process);
        Optional<String> breach = blocked.afterStep();
        if (breach.isPresent()) {
            running.forEach(ContainerProcess::cancel);
            all.remove(container);
            container.close();
        } else if (container.hasEnded()) {
            all.remove(container);
        } else {
            idle.add(container);
        }
        return breach;
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(ContainerProcess::cancel);
        releaseIdle();
        all.forEach(WarmContainer::close);
        all.clear();
        blocked.close();
        // Only now: while a container runs, a placeholder's removal would lift the block that stands on it.
        releasePlaceholders.run();
        nothingFolder.ifPresent(files::removeTree);
    }
}
