package dev.sandbox.linux;

import dev.sandbox.domain.ValueStyle;
import dev.sandbox.domain.isolation.Stdio;
import dev.sandbox.domain.path.Identity;
import dev.sandbox.domain.policy.Limits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.immutables.value.Value;

/** One child: what is executed, with what, and what its thread gives up first. Immutable. */
@Value.Immutable
@ValueStyle
public interface SpawnRequest {
    /** The variable that marks every process of a run, so that those which left its session are found at the end. */
    String MARKER_VARIABLE = "SANDBOX_RUN_ID";

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

    /** Open descriptors that the child gets beyond its standard streams: the first becomes 3, the second 4, and so on. */
    List<FileDescriptor> descriptors();

    /** Bounds of each process and of the tree. Time and output are the exchange's and not looked at. */
    @Value.Default
    default Limits limits() {
        return Limits.builder().build();
    }

    /** Bytes of memory over which the tree is killed; also where something else has set the limits of its processes. */
    @Value.Default
    default OptionalLong treeMemory() {
        return limits().memory();
    }

    /** A cgroup to be in before the program is executed; whoever spawns with it owns it no more. */
    Optional<RunCgroup> cgroup();

    /** To whom the streams belong that are made for the child, or it could not open them again by name; absent: to the caller. */
    Optional<Identity> owner();

    /** Applied in this order on the thread that spawns. */
    List<ConfinementStep> confinement();

    /** The value of {@link #MARKER_VARIABLE}; unique among the runs of this machine, since every process that has it is killed. */
    String marker();

    /** Refuses what execve(2) would silently read as something else. */
    @Value.Check
    default void check() {
        require(!programs().isEmpty(), "programs: is empty");
        require(!argv().isEmpty(), "argv: is empty");
        require(!marker().isEmpty(), "marker: is empty; it would match every process");
        require(cgroup().isEmpty() || descriptors().isEmpty(), "descriptors: the first is the cgroup's gate");
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
