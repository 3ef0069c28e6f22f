package dev.sandbox.docker;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.guarantee.Promise;
import dev.sandbox.domain.isolation.BackendAssessment;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.domain.isolation.HostFiles;
import dev.sandbox.domain.isolation.IsolationBackend;
import dev.sandbox.domain.isolation.IsolationSession;
import dev.sandbox.domain.isolation.Preflight;
import dev.sandbox.domain.isolation.SessionRequest;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;
import dev.sandbox.domain.policy.EnvironmentMode;
import dev.sandbox.domain.policy.EnvironmentPolicy;
import dev.sandbox.domain.policy.SandboxPolicy;
import dev.sandbox.domain.problem.SandboxException;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.domain.resolve.Host;
import dev.sandbox.linux.ClosedFolders;
import dev.sandbox.linux.HostPlaceholder;
import dev.sandbox.linux.HostPlaceholders;
import dev.sandbox.linux.LinuxSyscalls;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Enforces by a container of an engine that speaks Docker's API.
 *
 * <p>Guarantees: the step sees the image and the policy's grants, at the paths that they have on the host, and nothing else of the
 * host; blocks hold, those on missing paths too where the step could write; no capability, no new privilege, no device, the
 * engine's seccomp profile; its own processes only, and none outlives the run; what it writes belongs to the caller. A container
 * ends with this process, even when that is killed: its main process waits for a connection to break.
 *
 * <p>Does NOT stop: an image from lying (programs in it are the step's world); exhaustion of the engine's disk through /tmp in
 * memory; reaching the network beyond the host when the network is open; a blocked path that is missing inside a read-only grant and
 * that somebody else creates during the run. Cannot tell {@code exit 137} from SIGKILL.
 *
 * <p>Thread-safe.
 */
public final class DockerBackend implements IsolationBackend {
    private static final String NAME_ONE = "name one with image: or SANDBOX_DOCKER_IMAGE";
    private static final int IMAGES_TOLD = 5;

    private final Host host;
    private final HostFiles files;
    private final HostPlaceholders placeholders;
    private final Optional<String> defaultImage;
    private final Map<String, Optional<String>> proofs = new ConcurrentHashMap<>();
    private @Nullable Engine engine;
    private @Nullable EngineFacts facts;
    /** The usable ones, by image. */
    private final Map<String, BackendAssessment> assessments = new HashMap<>();

    /**
     * A backend on the engine that the environment names.
     *
     * @param host what the preflight resolves against
     * @param files makes folders on the host
     * @param placeholders makes what blocks on missing paths need there
     * @param defaultImage for policies that name none, and for the preflight
     */
    public DockerBackend(Host host, HostFiles files, HostPlaceholders placeholders, Optional<String> defaultImage) {
        this.host = host;
        this.files = files;
        this.placeholders = placeholders;
        this.defaultImage = defaultImage;
    }

    @Override
    public BackendName name() {
        return BackendName.DOCKER;
    }

    /** The host's variables mean nothing in an image. */
    @Override
    public EnvironmentMode environmentMode(EnvironmentPolicy policy) {
        return EnvironmentMode.CONTAINER;
    }

    /** {@inheritDoc} For policies that name no image: without a default one they are refused. */
    @Override
    public BackendAssessment assess() {
        return assess(defaultImage);
    }

    @Override
    public BackendAssessment assess(SandboxPolicy policy) {
        return assess(policy.image().or(() -> defaultImage));
    }

    private synchronized BackendAssessment assess(Optional<String> image) {
        String name = image.orElse("");
        BackendAssessment known = assessments.get(name);
        if (known != null) {
            return known;
        }
        BackendAssessment found = prove(image);
        if (found.isUsable()) {
            assessments.put(name, found);
        }
        return found;
    }

    private BackendAssessment prove(Optional<String> image) {
        try {
            EngineFacts found = facts();
            if (image.isEmpty()) {
                return BackendAssessment.unusable(name(), found.detail() + "; no image is named", remedy());
            }
            ImageFacts unused = proveOnce(image.get());
            Map<Guarantee, Promise> promises = DockerPromises.of(found, CallerIdentity.current());
            return new BackendAssessment(name(), found.detail() + "; preflight passed in " + image.get(), promises);
        } catch (SandboxException e) {
            return BackendAssessment.unusable(
                    name(), e.problems().get(0).what(), e.problems().get(0).fix());
        }
    }

    private String remedy() {
        List<String> images = engine().images(IMAGES_TOLD);
        return images.isEmpty()
                ? "this engine has no image; make one with images/make-images.sh, or load one, and " + NAME_ONE
                : NAME_ONE + "; this engine has " + String.join(", ", images);
    }

    @Override
    public ContainerSpec plan(SessionRequest request) {
        return ContainerPlanner.plan(request, settings(request, image(request)));
    }

    @Override
    public IsolationSession open(SessionRequest request) {
        String name = image(request);
        return openUnproved(request, name, proveOnce(name));
    }

    private ImageFacts proveOnce(String name) {
        ImageFacts image = engine().image(name);
        Optional<String> failure = proofs.computeIfAbsent(image.id(), id -> {
            int unused = Leftovers.remove(engine());
            return Preflight.failure(host, files, request -> openUnproved(request, name, image));
        });
        if (failure.isPresent()) {
            throw new SandboxUnavailableException("docker", failure.get(), "see sandbox doctor");
        }
        return image;
    }

    private IsolationSession openUnproved(SessionRequest request, String name, ImageFacts image) {
        ContainerSettings settings = settings(request, name);
        ContainerSpec spec = ContainerPlanner.plan(request, settings);
        Runnable release = placeholders.hold(onTheHost(spec, settings.standing()));
        try {
            return new DockerSession(engine(), request, spec, image, facts(), files, release);
        } catch (RuntimeException e) {
            release.run();
            throw e;
        }
    }

    /** A file for each, and a directory for each missing one above it; parents first. */
    private List<HostPlaceholder> onTheHost(ContainerSpec spec, Set<AbsolutePath> standing) {
        Set<HostPlaceholder> needed = new LinkedHashSet<>();
        for (AbsolutePath path : spec.placeholders()) {
            path.ancestors().stream()
                    .filter(folder -> standing.contains(folder) || host.files().kind(folder) == EntryKind.MISSING)
                    .forEach(folder -> needed.add(new HostPlaceholder(folder, EntryKind.DIRECTORY)));
            needed.add(new HostPlaceholder(path, EntryKind.FILE));
        }
        return List.copyOf(needed);
    }

    private String image(SessionRequest request) {
        return request.policy()
                .policy()
                .image()
                .or(() -> defaultImage)
                .orElseThrow(() -> new SandboxUnavailableException(
                        "image", "the docker backend needs an image, and the policy names none", NAME_ONE));
    }

    private ContainerSettings settings(SessionRequest request, String image) {
        EngineFacts found = facts();
        boolean blocks =
                request.policy().rules().stream().anyMatch(rule -> rule.access().isBlock());
        Set<AbsolutePath> standing = blocks ? placeholders.standing() : Set.of();
        ContainerSettings.Builder settings = ContainerSettings.builder()
                .image(image)
                .user(CallerIdentity.current().user(request.policy(), found.userIds()))
                .open(found.open())
                .hostMounts(HostMounts.read())
                .engineSocket(engine().socket())
                .standing(standing);
        if (blocks) {
            ClosedFolders closed =
                    new ClosedFolders(LinuxSyscalls.host(), request.policy().runAs());
            new ClosedBlocks(host.files(), closed, standing).addTo(settings, request.policy());
        }
        return settings.build();
    }

    private synchronized EngineFacts facts() {
        if (facts == null) {
            facts = engine().facts();
        }
        return facts;
    }

    private synchronized Engine engine() {
        if (engine == null) {
            engine = Engine.connect();
        }
        return engine;
    }
}
