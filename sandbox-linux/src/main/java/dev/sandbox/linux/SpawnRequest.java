package dev.sandbox.linux;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/** One child: what is executed, with what, what is built around it, and what it gives up first. Immutable. */
@Value.Immutable
@ValueStyle
public interface SpawnRequest {
    /** The variable that marks every process of a run, so that those which left its session are found at the end. */
    String MARKER_VARIABLE = "SANDBOX_RUN_ID";

    /** See {@link #patience}. */
    Duration LEAST_PATIENCE = Duration.ofSeconds(2);

    /** See {@link #patience}. */
    Duration MOST_PATIENCE = Duration.ofSeconds(30);

    /** The paths at which the program may be, tried in order as execvp(3) does. */
    List<String> programs();

    /** The argument vector, the program's name first. */
    List<String> argv();

    /** The child's whole environment but for the marker. */
    Map<String, String> environment();

    /** Where the child starts, as it is seen after the confinement. */
    String workingDirectory();

    @Value.Default
    default Stdio stdin() {
        return Stdio.NULL;
    }

    @Value.Default
    default Stdio stdout() {
        return Stdio.PIPE;
    }

    @Value.Default
    default Stdio stderr() {
        return Stdio.PIPE;
    }

    /** What all three streams are, if they are a terminal; whoever spawns with it owns it no more. */
    Optional<Terminal> terminal();

    /** Whether that terminal becomes the child's controlling one; else it is one of its children's to take. */
    @Value.Default
    default boolean controlling() {
        return true;
    }

    /** What its entries name by number; open until the spawn has returned. The child itself keeps none of them. */
    List<FileDescriptor> descriptors();

    /** Bounds of each process and of the tree. Output is the exchange's and not looked at; of time see {@link #patience}. */
    @Value.Default
    default Limits limits() {
        return Limits.builder().build();
    }

    /** Whose processes the kernel counts against their limit. */
    @Value.Default
    default StepLimits.Counted counted() {
        return StepLimits.Counted.ACCOUNT;
    }

    /** A cgroup to be in before the program is executed; whoever spawns with it owns it no more. */
    Optional<RunCgroup> cgroup();

    /** To whom the streams belong that are made for the child, or it could not open them again by name; absent: to the caller. */
    Optional<Identity> owner();

    /** Namespaces that are built around it first. */
    Optional<Surroundings> surroundings();

    /** What it gives up before it becomes its program. */
    @Value.Default
    default Confinement confinement() {
        return Confinement.none();
    }

    /**
     * For how long it may be under way to its program: a dead server of files may hold it for ever. A step that has less time has less
     * for this too, but enough for a busy machine.
     */
    @Value.Default
    default Duration patience() {
        Duration time = limits().timeout().orElse(MOST_PATIENCE);
        Duration enough = time.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : time;
        return enough.compareTo(MOST_PATIENCE) < 0 ? enough : MOST_PATIENCE;
    }

    /** The value of {@link #MARKER_VARIABLE}; unique among the runs of this machine, since every process that has it is killed. */
    String marker();

    /** Refuses what execve(2) would silently read as something else. */
    @Value.Check
    default void check() {
        require(!programs().isEmpty(), "programs: is empty");
        require(!argv().isEmpty(), "argv: is empty");
        require(!marker().isEmpty(), "marker: is empty; it would match every process");
        require(
                terminal().isPresent() == (stdin() == Stdio.TERMINAL),
                "terminal: is there if and only if the streams are one");
        environment()
                .keySet()
                .forEach(name -> require(
                        !name.isEmpty() && name.indexOf('=') < 0,
                        "environment: \"" + name + "\" cannot be a variable's name"));
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link SpawnRequest}. */
    final class Builder extends ImmutableSpawnRequest.Builder {}
}
