package dev.sandbox.mountns;

import dev.sandbox.domain.path.AbsolutePath;
import dev.sandbox.domain.path.EntryKind;

/** One thing that is done to build the step's file system. All paths are as the step will see them. Immutable. */
public sealed interface MountOperation {
    /** Where it is done. */
    AbsolutePath target();

    /** For people, one line. */
    String line();

    /**
     * The new root: memory, sealed at the end.
     *
     * @param bytes the most that it and the private directories in it may hold
     */
    record RootFileSystem(long bytes) implements MountOperation {
        @Override
        public AbsolutePath target() {
            return AbsolutePath.ROOT;
        }

        @Override
        public String line() {
            return "tmpfs / size=" + bytes;
        }
    }

    /**
     * A directory in the new root.
     *
     * @param target where
     * @param mode its permissions
     */
    record DirectoryPlaceholder(AbsolutePath target, int mode) implements MountOperation {
        @Override
        public String line() {
            return "directory " + target + " mode=" + Integer.toOctalString(mode);
        }
    }

    /**
     * An empty file in the new root.
     *
     * @param target where
     * @param mode its permissions
     */
    record FilePlaceholder(AbsolutePath target, int mode) implements MountOperation {
        @Override
        public String line() {
            return "file " + target + " mode=" + Integer.toOctalString(mode);
        }
    }

    /**
     * A symbolic link in the new root.
     *
     * @param target where the link stands
     * @param text what it says
     */
    record SymbolicLink(AbsolutePath target, String text) implements MountOperation {
        @Override
        public String line() {
            return "link " + target + " -> " + text;
        }
    }

    /**
     * Something shown at a place, with everything mounted below it.
     *
     * @param source where it is
     * @param origin in which file system the source is looked up
     * @param target where it is shown
     * @param kind what both are
     * @param mode with which rights
     */
    record Bind(AbsolutePath source, Origin origin, AbsolutePath target, EntryKind kind, Mode mode)
            implements MountOperation {
        /** The host's path at the same place of the sandbox. */
        static Bind ofHost(AbsolutePath path, EntryKind kind, Mode mode) {
            return new Bind(path, Origin.HOST, path, kind, mode);
        }

        /** Whether it shows the step's own directory for anybody to write in. */
        boolean isPrivateDirectory() {
            return origin == Origin.SANDBOX && mode == Mode.READ_WRITE;
        }

        @Override
        public String line() {
            String from = origin == Origin.HOST && source.equals(target) ? "" : " from " + origin.id() + " " + source;
            return "bind " + mode.id() + " " + target + from;
        }
    }

    /** Where a bind takes its source from. */
    enum Origin {
        HOST("host"),
        /** The new root itself. */
        SANDBOX("sandbox");

        private final String id;

        Origin(String id) {
            this.id = id;
        }

        String id() {
            return id;
        }
    }

    /** The rights of a bind. All but DEVICE are nodev; all are nosuid. */
    enum Mode {
        READ_ONLY("read-only"),
        READ_WRITE("read-write"),
        DEVICE("device");

        private final String id;

        Mode(String id) {
            this.id = id;
        }

        String id() {
            return id;
        }
    }

    /**
     * A file system that the kernel makes for the new namespaces.
     *
     * @param type which
     * @param target where
     */
    record KernelFileSystem(Type type, AbsolutePath target) implements MountOperation {
        @Override
        public String line() {
            return type.id() + " " + target;
        }

        /** The kinds. */
        enum Type {
            /** The sandbox's own processes; read-only, or a step of uid 0 could write /proc/sys without any capability. */
            PROC("proc"),
            /** Terminals of its own. */
            DEVPTS("devpts");

            private final String id;

            Type(String id) {
                this.id = id;
            }

            String id() {
                return id;
            }
        }
    }

    /** Makes the new root read-only; what is bound in it keeps its rights. */
    record Seal() implements MountOperation {
        @Override
        public AbsolutePath target() {
            return AbsolutePath.ROOT;
        }

        @Override
        public String line() {
            return "seal /";
        }
    }
}
