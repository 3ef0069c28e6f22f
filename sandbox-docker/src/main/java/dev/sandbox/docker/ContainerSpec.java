package dev.sandbox.docker;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.domain.path.AbsolutePath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import org.immutables.value.Value;

/**
 * One container, whole. What no policy changes is no field: read-only root file system, every capability dropped,
 * no-new-privileges, the engine's seccomp profile, an init process, removal at its end, no restart. Immutable.
 */
@Value.Immutable
@ValueStyle
public interface ContainerSpec extends IsolationPlan {
    /** Name or id of the image. */
    String image();

    /** As whom steps run. */
    ContainerUser user();

    /** Where steps start. */
    AbsolutePath workDir();

    /** Mounts, parents before children. */
    @Value.NaturalOrder
    SortedSet<ContainerMount> mounts();

    /** Files to make on the host, so that a missing path can be taken away; removed afterwards while still empty. */
    @Value.NaturalOrder
    SortedSet<AbsolutePath> placeholders();

    /** The network. */
    ContainerNetwork network();

    /** Processes and threads at once, those of the sandbox included. */
    long pids();

    /** Bytes of memory; no swap on top. */
    OptionalLong memory();

    /** Bytes of the largest file. */
    OptionalLong fileSize();

    /** Open files of one process. */
    OptionalLong openFiles();

    /** Seconds on processors of one process. */
    OptionalLong cpuSeconds();

    /** Names of the step's variables. */
    @Value.NaturalOrder
    SortedSet<String> variables();

    @Override
    default List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("container of image " + image());
        lines.add("user: " + user().spec() + ", capabilities: none, no-new-privileges, default seccomp profile");
        lines.add("root file system: read-only, the image's own");
        lines.add("working directory: " + workDir());
        lines.add("network: " + network().id());
        lines.add("processes: " + pids() + limit(", memory: ", memory()) + limit(", file size: ", fileSize())
                + limit(", open files: ", openFiles()) + limit(", cpu seconds: ", cpuSeconds()));
        mounts().forEach(mount -> lines.add(mount.kind().id() + " " + mount.target() + origin(mount)));
        placeholders().forEach(path -> lines.add("placeholder " + path));
        lines.add("variables: " + String.join(" ", variables()));
        return Collections.unmodifiableList(lines);
    }

    private static String origin(ContainerMount mount) {
        return mount.source().equals(mount.target()) ? "" : " from " + mount.source();
    }

    private static String limit(String name, OptionalLong value) {
        return value.isPresent() ? name + value.getAsLong() : "";
    }

    @Override
    default Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("backend", "docker");
        document.put("image", image());
        document.put("user", user().spec());
        document.put("work_dir", workDir().toString());
        document.put("network", network().id());
        document.put("pids", pids());
        memory().ifPresent(bytes -> document.put("memory", bytes));
        fileSize().ifPresent(bytes -> document.put("file_size", bytes));
        openFiles().ifPresent(count -> document.put("open_files", count));
        cpuSeconds().ifPresent(seconds -> document.put("cpu_seconds", seconds));
        document.put("mounts", mounts().stream().map(ContainerSpec::document).toList());
        document.put(
                "placeholders",
                placeholders().stream().map(AbsolutePath::toString).toList());
        document.put("variables", List.copyOf(variables()));
        return Collections.unmodifiableMap(document);
    }

    private static Map<String, Object> document(ContainerMount mount) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("target", mount.target().toString());
        document.put("kind", mount.kind().id());
        document.put("source", mount.source().toString());
        return document;
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link ContainerSpec}. */
    final class Builder extends ImmutableContainerSpec.Builder {}
}
