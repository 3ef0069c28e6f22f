package dev.sandbox.docker;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.RestartPolicy;
import com.github.dockerjava.api.model.Ulimit;
import dev.sandbox.domain.path.AbsolutePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A {@link ContainerSpec} in the engine's words. */
final class ContainerRecipe {
    /** Ends at the end of its input, which ends with the connection: the container does not outlive this process. */
    private static final String KEEPER = "read -r _";

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
        return engine.asking(
                "create container", () -> fill(engine.create(image.id())).exec().getId());
    }

    private CreateContainerCmd fill(CreateContainerCmd command) {
        return command.withEntrypoint("/bin/sh")
                .withCmd("-c", KEEPER)
                .withUser(spec.user().keeper().spec())
                .withWorkingDir("/")
                .withHostName("sandbox")
                .withEnv(image.variables())
                .withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
                .withLabels(Map.of(Owner.LABEL, Owner.self()))
                .withStdinOpen(true)
                .withStdInOnce(true)
                .withAttachStdin(true)
                .withAttachStdout(false)
                .withAttachStderr(false)
                .withHostConfig(hostConfig());
    }

    private HostConfig hostConfig() {
        HostConfig config = HostConfig.newHostConfig()
                .withInit(true)
                .withAutoRemove(true)
                .withRestartPolicy(RestartPolicy.noRestart())
                .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE))
                .withReadonlyRootfs(true)
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges"))
                .withNetworkMode(spec.network().id())
                .withPidsLimit(spec.pids())
                .withUlimits(ulimits())
                .withMounts(binds())
                .withTmpFs(tmpfs());
        if (userIds == EngineFacts.UserIds.REMAPPED) {
            config.withUsernsMode("host");
        }
        spec.memory().ifPresent(bytes -> config.withMemory(bytes).withMemorySwap(bytes));
        return config;
    }

    private List<Ulimit> ulimits() {
        List<Ulimit> limits = new ArrayList<>();
        limits.add(new Ulimit("core", 0L, 0L));
        spec.fileSize().ifPresent(bytes -> limits.add(new Ulimit("fsize", bytes, bytes)));
        spec.cpuSeconds().ifPresent(seconds -> limits.add(new Ulimit("cpu", seconds, seconds + 1)));
        spec.openFiles().ifPresent(count -> limits.add(new Ulimit("nofile", count, count)));
        return limits;
    }

    /** Mount objects: a missing source is an error, and no character of a path means anything. */
    private List<Mount> binds() {
        List<Mount> binds = new ArrayList<>();
        for (ContainerMount mount : spec.mounts()) {
            switch (mount.kind()) {
                case BIND -> binds.add(bind(mount.target(), mount.target(), false));
                case BIND_READ_ONLY -> binds.add(bind(mount.target(), mount.target(), true));
                case MASK_FILE -> binds.add(bind(nothing.orElseThrow(), mount.target(), true));
                case MASK_DIRECTORY, EMPTY_DIRECTORY, SCRATCH -> {}
            }
        }
        return binds;
    }

    private static Mount bind(AbsolutePath source, AbsolutePath target, boolean readOnly) {
        return new Mount()
                .withType(MountType.BIND)
                .withSource(source.toString())
                .withTarget(target.toString())
                .withReadOnly(readOnly);
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
