package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.problem.SandboxUnavailableException;
import dev.sandbox.linux.LinuxSyscalls;
import dev.sandbox.linux.uapi.Rlimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A {@link ContainerSpec} in the engine's words. */
final class ContainerRecipe {
    /** Ends at the end of its input, which ends with the connection: the container does not outlive this process. */
    static final String KEEPER = "read -r _";

    /** What a podman service may have of processes, unless it was told otherwise. */
    private static final long PODMANS_OWN = 32_768;

    private final ContainerSpec spec;
    private final ImageFacts image;
    private final EngineFacts engine;
    private final Optional<AbsolutePath> nothing;

    /**
     * A recipe.
     *
     * @param nothing an empty unreadable file of the host, where the spec masks files
     */
    ContainerRecipe(ContainerSpec spec, ImageFacts image, EngineFacts engine, Optional<AbsolutePath> nothing) {
        this.spec = spec;
        this.image = image;
        this.engine = engine;
        this.nothing = nothing;
    }

    String create(Engine api) {
        requireBindable();
        return api.create(container());
    }

    /** Podman takes a mount apart at these characters. */
    private void requireBindable() {
        Optional<AbsolutePath> odd = spec.mounts().stream()
                .filter(mount -> engine.kind() == EngineFacts.Kind.PODMAN)
                .flatMap(mount -> Stream.of(mount.source(), mount.target()))
                .filter(path -> path.toString().matches("(?s).*[:,\n].*"))
                .findFirst();
        if (odd.isPresent()) {
            throw new SandboxUnavailableException(
                    "docker",
                    "podman cannot mount \"" + odd.get() + "\": the name has a colon, a comma or a line end",
                    "rename it, or use the backend landlock or mountns");
        }
    }

    private Map<String, Object> container() {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("Image", image.id());
        container.put("Entrypoint", List.of("/bin/sh"));
        container.put("Cmd", List.of("-c", KEEPER));
        container.put("User", spec.user().keeper().spec());
        container.put("WorkingDir", "/");
        container.put("Hostname", "sandbox");
        container.put("Env", image.variables());
        container.put("Healthcheck", Map.of("Test", List.of("NONE")));
        container.put("Labels", Map.of(Owner.LABEL, Owner.self()));
        container.put("OpenStdin", true);
        container.put("StdinOnce", true);
        container.put("AttachStdin", true);
        container.put("AttachStdout", false);
        container.put("AttachStderr", false);
        container.put("HostConfig", host());
        return container;
    }

    private Map<String, Object> host() {
        Map<String, Object> host = new LinkedHashMap<>();
        host.put("Init", true);
        host.put("AutoRemove", true);
        host.put("RestartPolicy", Map.of("Name", "no"));
        host.put("LogConfig", Map.of("Type", "none", "Config", Map.of()));
        host.put("ReadonlyRootfs", true);
        host.put("CapDrop", List.of("ALL"));
        host.put("SecurityOpt", List.of("no-new-privileges"));
        host.put("NetworkMode", spec.network().id());
        host.put("PidsLimit", spec.pids());
        host.put("Ulimits", ulimits());
        host.put("Mounts", binds());
        host.put("Tmpfs", tmpfs());
        if (engine.userIds() == EngineFacts.UserIds.REMAPPED) {
            host.put("UsernsMode", "host");
        }
        spec.memory().ifPresent(bytes -> {
            host.put("Memory", bytes);
            host.put("MemorySwap", bytes);
        });
        return host;
    }

    private List<Map<String, Object>> ulimits() {
        List<Map<String, Object>> limits = new ArrayList<>();
        limits.add(ulimit("core", 0, 0));
        spec.fileSize().ifPresent(bytes -> limits.add(ulimit("fsize", bytes, bytes)));
        spec.cpuSeconds().ifPresent(seconds -> limits.add(ulimit("cpu", seconds, seconds + 1)));
        spec.openFiles()
                .ifPresentOrElse(
                        count -> limits.add(ulimit("nofile", count, count)),
                        () -> ownLimit("nofile", Rlimit.RLIMIT_NOFILE).ifPresent(limits::add));
        ownLimit("nproc", Rlimit.RLIMIT_NPROC).ifPresent(limits::add);
        return limits;
    }

    /** Podman raises what nobody names to a million, which the machine may not allow: then it is what this process may have. */
    private Optional<Map<String, Object>> ownLimit(String name, int resource) {
        return switch (engine.kind()) {
            case DOCKER -> Optional.empty();
            case PODMAN -> {
                long hard = Math.min(LinuxSyscalls.host().hardLimit(resource), PODMANS_OWN);
                yield hard < 0 ? Optional.empty() : Optional.of(ulimit(name, hard, hard));
            }
        };
    }

    private static Map<String, Object> ulimit(String name, long soft, long hard) {
        return Map.of("Name", name, "Soft", soft, "Hard", hard);
    }

    /** Mount objects: a missing source is an error, and no character of a path means anything. */
    private List<Map<String, Object>> binds() {
        List<Map<String, Object>> binds = new ArrayList<>();
        for (ContainerMount mount : spec.mounts()) {
            switch (mount.kind()) {
                case BIND -> binds.add(bind(mount.source(), mount.target(), false));
                case BIND_READ_ONLY -> binds.add(bind(mount.source(), mount.target(), true));
                case MASK_FILE -> binds.add(bind(nothing.orElseThrow(), mount.target(), true));
                case MASK_DIRECTORY, EMPTY_DIRECTORY, SCRATCH -> {}
            }
        }
        return binds;
    }

    private static Map<String, Object> bind(AbsolutePath source, AbsolutePath target, boolean readOnly) {
        return Map.of("Type", "bind", "Source", source.toString(), "Target", target.toString(), "ReadOnly", readOnly);
    }

    /** By options: a mount object of type tmpfs takes mode 0 for "not given". */
    private Map<String, String> tmpfs() {
        Map<String, String> tmpfs = new LinkedHashMap<>();
        for (ContainerMount mount : spec.mounts()) {
            switch (mount.kind()) {
                case MASK_DIRECTORY -> tmpfs.put(text(mount), "ro,noexec,nosuid,nodev,mode=000,size=4k" + empty());
                case EMPTY_DIRECTORY -> tmpfs.put(text(mount), "ro,noexec,nosuid,nodev,mode=555" + empty());
                case SCRATCH -> tmpfs.put(text(mount), "rw,exec,nosuid,nodev,mode=1777" + owner() + empty());
                case BIND, BIND_READ_ONLY, MASK_FILE -> {}
            }
        }
        return tmpfs;
    }

    private static String text(ContainerMount mount) {
        return mount.target().toString();
    }

    /** Unless told, Podman copies into it what it covers: a mask would show what it is to hide. */
    private String empty() {
        return switch (engine.kind()) {
            case DOCKER -> "";
            case PODMAN -> ",notmpcopyup";
        };
    }

    /** Docker gives it the mode that the folder has in the image, and 0755 when it has none; Podman keeps 1777 and knows no owner. */
    private String owner() {
        return switch (engine.kind()) {
            case DOCKER -> ",uid=" + spec.user().uid() + ",gid=" + spec.user().gid();
            case PODMAN -> "";
        };
    }
}
