package dev.sandbox.docker;

import dev.sandbox.domain.path.AbsolutePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A {@link ContainerSpec} in the engine's words. */
final class ContainerRecipe {
    /** Ends at the end of its input, which ends with the connection: the container does not outlive this process. */
    static final String KEEPER = "read -r _";

    private final ContainerSpec spec;
    private final ImageFacts image;
    private final EngineFacts.UserIds userIds;
    private final Optional<AbsolutePath> nothing;

    /**
     * A recipe.
     *
     * @param nothing an empty unreadable file of the host, where the spec masks files
     */
    ContainerRecipe(ContainerSpec spec, ImageFacts image, EngineFacts.UserIds userIds, Optional<AbsolutePath> nothing) {
        this.spec = spec;
        this.image = image;
        this.userIds = userIds;
        this.nothing = nothing;
    }

    String create(Engine engine) {
        return engine.create(container());
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
        container.put("Labels", Map.of(Owner.LABEL, Owner.self().text()));
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
        if (userIds == EngineFacts.UserIds.REMAPPED) {
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
        spec.openFiles().ifPresent(count -> limits.add(ulimit("nofile", count, count)));
        return limits;
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
                case MASK_DIRECTORY -> tmpfs.put(mount.target().toString(), "ro,noexec,nosuid,nodev,mode=000,size=4k");
                case EMPTY_DIRECTORY -> tmpfs.put(mount.target().toString(), "ro,noexec,nosuid,nodev,mode=555");
                case SCRATCH -> tmpfs.put(mount.target().toString(), scratch());
                case BIND, BIND_READ_ONLY, MASK_FILE -> {}
            }
        }
        return tmpfs;
    }

    /** The step's own: the engine gives it the mode that the folder has in the image, and 0755 when it has none. */
    private String scratch() {
        ContainerUser user = spec.user();
        return "rw,exec,nosuid,nodev,mode=1777,uid=" + user.uid() + ",gid=" + user.gid();
    }
}
