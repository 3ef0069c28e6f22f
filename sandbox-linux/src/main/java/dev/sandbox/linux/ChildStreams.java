package dev.sandbox.linux;

import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.linux.uapi.Fcntl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The child's three streams: the ends that it gets and the ends that the JVM keeps. The null device is opened here, since
 * the confined thread may no longer be able to. Of the JVM's own streams {@link InheritedStream} says what a child may have.
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
    private Optional<LinuxSyscalls.Pipe> copiedInput = Optional.empty();
    private InheritedStream inputKind = InheritedStream.NONE;
    private final Map<Integer, FileDescriptor> copiedOutputs = new TreeMap<>();
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
        int in = input(request.stdin());
        int out = output(request.stdout(), 1);
        int err = request.stderr() == Stdio.MERGED ? out : output(request.stderr(), 2);
        sources = new StandardStreams(in, out, err);
    }

    private int input(Stdio kind) {
        if (kind == Stdio.PIPE) {
            return inputPipe();
        }
        inputKind = kind == Stdio.INHERIT ? InheritedStream.of(0, syscalls) : InheritedStream.NONE;
        return switch (inputKind) {
            case SHARED -> 0;
            case COPIED, COPIED_FROM_FILE -> copiedInputPipe();
            case NONE -> nullDevice(Fcntl.O_RDONLY);
        };
    }

    private int output(Stdio kind, int own) {
        if (kind == Stdio.PIPE) {
            LinuxSyscalls.Pipe pipe = outputPipe();
            if (own == 1) {
                stdout = Optional.of(pipe.readEnd());
            } else {
                stderr = Optional.of(pipe.readEnd());
            }
            return pipe.writeEnd().number();
        }
        return switch (kind == Stdio.INHERIT ? InheritedStream.of(own, syscalls) : InheritedStream.NONE) {
            case SHARED -> own;
            case COPIED, COPIED_FROM_FILE -> copiedOutputPipe(own);
            case NONE -> nullDevice(Fcntl.O_WRONLY);
        };
    }

    private int copiedInputPipe() {
        LinuxSyscalls.Pipe pipe = syscalls.pipe();
        childEnds.add(pipe.readEnd());
        ours.add(pipe.writeEnd());
        syscalls.setNonBlocking(pipe.writeEnd());
        FileDescriptor gauge = syscalls.duplicate(pipe.readEnd());
        ours.add(gauge);
        copiedInput = Optional.of(new LinuxSyscalls.Pipe(gauge, pipe.writeEnd()));
        return pipe.readEnd().number();
    }

    private int copiedOutputPipe(int own) {
        LinuxSyscalls.Pipe pipe = outputPipe();
        copiedOutputs.put(own, pipe.readEnd());
        return pipe.writeEnd().number();
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

    private int nullDevice(int flags) {
        FileDescriptor device = syscalls.open("/dev/null", flags);
        childEnds.add(device);
        devices.add(device);
        return device.number();
    }

    /** The pipe to a child that gets a copy of the JVM's input, its read end that of the JVM's. */
    Optional<LinuxSyscalls.Pipe> copiedInput() {
        return copiedInput;
    }

    InheritedStream inputKind() {
        return inputKind;
    }

    /** Where a child's output comes from that is copied to the JVM's own, by the number of that. */
    Map<Integer, FileDescriptor> copiedOutputs() {
        return copiedOutputs;
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
