package dev.sandbox.mountns;

import dev.sandbox.domain.isolation.IsolationPlan;
import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.problem.Problem;
import dev.sandbox.linux.HostPlaceholder;
import dev.sandbox.linux.seccomp.SyscallFilter;
import dev.sandbox.linux.uapi.Mount;
import dev.sandbox.mountns.MountOperation.Bind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The step's file system, as the ordered list of what builds it. Immutable.
 *
 * @param operations in order: the root, every placeholder, the links, the binds from the outermost in, the kernel's file systems, the seal
 * @param hostPlaceholders what must stand on the host meanwhile, parents first
 * @param network whether the step shares the host's network
 * @param workDir where the step starts
 * @param filter what the step may not ask of the kernel
 * @param runAs as whom, if not as the caller
 */
public record MountPlan(
        List<MountOperation> operations,
        List<HostPlaceholder> hostPlaceholders,
        Network network,
        AbsolutePath workDir,
        SyscallFilter filter,
        Optional<Identity> runAs)
        implements IsolationPlan {
    /** What the step calls its machine. */
    public static final String HOST_NAME = "sandbox";

    /** Which network the step has. */
    public enum Network {
        /** The host's. */
        SHARED,
        /** A namespace with nothing but a loopback of its own. */
        NONE
    }

    public MountPlan {
        operations = List.copyOf(operations);
        hostPlaceholders = List.copyOf(hostPlaceholders);
    }

    /** The binds among the operations, in order. */
    public Stream<Bind> binds() {
        return operations.stream().filter(Bind.class::isInstance).map(Bind.class::cast);
    }

    /** How a step of that account sees its {@code /proc}: uid 0 could write to /proc/sys without any capability. */
    long procFlags(long caller) {
        boolean root = runAs.map(Identity::uid).orElse(caller) == 0;
        return root ? Mount.MS_RDONLY : 0;
    }

    @Override
    public List<String> listing() {
        return filter.listing();
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        hostPlaceholders.forEach(placeholder -> lines.add(Problem.oneLine(placeholder.line())));
        operations.forEach(operation -> lines.add(Problem.oneLine(operation.line())));
        lines.add("network " + (network == Network.NONE ? "none" : "of the host"));
        lines.add("pid, ipc and uts namespaces; hostname " + HOST_NAME);
        runAs.ifPresent(identity -> lines.add("run as " + identity + ", no other group"));
        lines.add("no capabilities, no_new_privs, in " + Problem.oneLine(workDir.toString()));
        lines.addAll(filter.lines());
        return lines;
    }

    @Override
    public Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("backend", "mountns");
        document.put("work_dir", workDir.toString());
        document.put("network", network == Network.NONE ? "none" : "host");
        document.put("hostname", HOST_NAME);
        runAs.ifPresent(identity -> document.put("run_as", identity.toString()));
        document.put(
                "host_placeholders",
                hostPlaceholders.stream()
                        .map(it -> Map.of(
                                "path", it.path().toString(), "kind", it.kind().id()))
                        .toList());
        document.put("seccomp", filter.document());
        document.put("operations", operations.stream().map(MountPlan::entry).toList());
        return document;
    }

    private static Map<String, Object> entry(MountOperation operation) {
        Map<String, Object> entry = new LinkedHashMap<>();
        String name = operation.line().split(" ", 2)[0];
        entry.put("operation", name);
        entry.put("target", operation.target().toString());
        if (operation instanceof Bind bind) {
            entry.put("source", bind.source().toString());
            entry.put("origin", bind.origin().id());
            entry.put("kind", bind.kind().id());
            entry.put("mode", bind.mode().id());
        } else if (operation instanceof MountOperation.SymbolicLink link) {
            entry.put("text", link.text());
        } else if (operation instanceof MountOperation.DirectoryPlaceholder directory) {
            entry.put("mode", Integer.toOctalString(directory.mode()));
        } else if (operation instanceof MountOperation.FilePlaceholder file) {
            entry.put("mode", Integer.toOctalString(file.mode()));
        } else if (operation instanceof MountOperation.RootFileSystem root) {
            entry.put("bytes", root.bytes());
        }
        return entry;
    }
}
