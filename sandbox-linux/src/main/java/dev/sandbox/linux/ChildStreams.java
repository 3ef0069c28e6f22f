package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.linux.uapi.Fcntl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The child's three streams: the ends that it gets and the ends that the JVM keeps. The null device is opened here, since
 * the confined thread may no longer be able to.
 */
final class ChildStreams implements AutoCloseable {
    private final LinuxSyscalls syscalls;
    private final List<FileDescriptor> childEnds = new ArrayList<>();
    private final List<FileDescriptor> devices = new ArrayList<>();
    private final List<FileDescriptor> ours = new ArrayList<>();
    private Optional<Terminal> terminal = Optional.empty();
    private Optional<FileDescriptor> stdin = Optional.empty();
    private Optional<FileDescriptor> stdout = Optional.empty();
    private Optional<FileDescriptor> stderr = Optional.empty();
    private StandardStreams sources = new StandardStreams(0, 1, 2);

    private ChildStreams(LinuxSyscalls syscalls) {
        this.syscalls = syscalls;
    }

    static ChildStreams open(SpawnRequest request, LinuxSyscalls syscalls) {
        ChildStreams streams = new ChildStreams(syscalls);
        try {
            streams.open(request);
            request.owner().ifPresent(streams::giveTo);
            return streams;
        } catch (RuntimeException e) {
            streams.close();
            throw e;
        }
    }

    private void open(SpawnRequest request) {
        if (request.terminal().isPresent()) {
            open(request.terminal().get());
        } else {
            openEach(request);
        }
    }

    /** Not the null device, which is the whole machine's. */
    private void giveTo(Identity owner) {
        childEnds.stream().filter(end -> !devices.contains(end)).forEach(end -> syscalls.giveTo(end, owner));
    }

    private void open(Terminal terminal) {
        this.terminal = Optional.of(terminal);
        childEnds.add(terminal.theirs());
        ours.add(terminal.ours());
        syscalls.setNonBlocking(terminal.ours());
        // Each is closed on its own.
        FileDescriptor input = syscalls.duplicate(terminal.ours());
        ours.add(input);
        stdin = Optional.of(input);
        stdout = Optional.of(terminal.ours());
        int theirs = terminal.theirs().number();
        sources = new StandardStreams(theirs, theirs, theirs);
    }

    private void openEach(SpawnRequest request) {
        int in = request.stdin() == Stdio.PIPE ? inputPipe() : other(request.stdin(), 0, Fcntl.O_RDONLY);
        int out = 1;
        if (request.stdout() == Stdio.PIPE) {
            LinuxSyscalls.Pipe pipe = outputPipe();
            stdout = Optional.of(pipe.readEnd());
            out = pipe.writeEnd().number();
        } else {
            out = other(request.stdout(), 1, Fcntl.O_WRONLY);
        }
        int err = 2;
        if (request.stderr() == Stdio.PIPE) {
            LinuxSyscalls.Pipe pipe = outputPipe();
            stderr = Optional.of(pipe.readEnd());
            err = pipe.writeEnd().number();
        } else if (request.stderr() == Stdio.MERGED) {
            err = out;
        } else {
            err = other(request.stderr(), 2, Fcntl.O_WRONLY);
        }
        sources = new StandardStreams(in, out, err);
    }

    private int inputPipe() {
        LinuxSyscalls.Pipe pipe = syscalls.pipe();
        childEnds.add(pipe.readEnd());
        ours.add(pipe.writeEnd());
        syscalls.setNonBlocking(pipe.writeEnd());
        stdin = Optional.of(pipe.writeEnd());
        return pipe.readEnd().number();
    }

    private LinuxSyscalls.Pipe outputPipe() {
        LinuxSyscalls.Pipe pipe = syscalls.pipe();
        childEnds.add(pipe.writeEnd());
        ours.add(pipe.readEnd());
        syscalls.setNonBlocking(pipe.readEnd());
        return pipe;
    }

    /** The null device also stands in for a stream that the JVM itself was started without. */
    private int other(Stdio kind, int own, int flags) {
        if (kind == Stdio.INHERIT && syscalls.raw().fcntl(own, Fcntl.F_GETFD, 0) >= 0) {
            return own;
        }
        FileDescriptor device = syscalls.open("/dev/null", flags);
        childEnds.add(device);
        devices.add(device);
        return device.number();
    }

    StandardStreams sources() {
        return sources;
    }

    Optional<Terminal> terminal() {
        return terminal;
    }

    Optional<FileDescriptor> stdin() {
        return stdin;
    }

    Optional<FileDescriptor> stdout() {
        return stdout;
    }

    Optional<FileDescriptor> stderr() {
        return stderr;
    }

    /** After the spawn: only the child may hold these, or the end of its output would never be seen. */
    void closeChildEnds() {
        childEnds.forEach(FileDescriptor::close);
    }

    @Override
    public void close() {
        closeChildEnds();
        ours.forEach(FileDescriptor::close);
    }
}
