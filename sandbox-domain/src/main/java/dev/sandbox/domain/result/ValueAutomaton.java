package dev.sandbox.domain.result;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds many values in a stream of bytes in one pass (Aho and Corasick, 1975): the work is linear in the stream, whatever the step
 * prints and however the values overlap. A state is the longest end of what was read that is the beginning of a value. Immutable.
 */
final class ValueAutomaton {
    /** Nothing read yet, or nothing that begins a value. */
    static final int START = 0;

    private static final int NONE = -1;

    private final Map<Long, Integer> edges = new HashMap<>();
    /** The edges of the first state, where most bytes of most streams are looked up. */
    private final int[] first = new int[1 << Byte.SIZE];

    private final int[] depth;
    private final int[] fallback;
    /** How many of the last bytes may still become a value: those of the longest end that is the beginning of a longer value. */
    private final int[] open;
    /** The length of the longest value that ends here; 0: none does. */
    private final int[] match;

    ValueAutomaton(List<byte[]> values) {
        int most = 1 + values.stream().mapToInt(value -> value.length).sum();
        int[] depths = new int[most];
        int[] matches = new int[most];
        int states = 1;
        for (byte[] value : values) {
            int state = START;
            for (byte b : value) {
                int next = edge(state, b);
                if (next == NONE) {
                    next = states++;
                    depths[next] = depths[state] + 1;
                    edges.put(key(state, b), next);
                }
                state = next;
            }
            matches[state] = value.length;
        }
        for (int b = 0; b < first.length; b++) {
            first[b] = edge(START, (byte) b);
        }
        this.depth = Arrays.copyOf(depths, states);
        this.match = Arrays.copyOf(matches, states);
        this.fallback = new int[states];
        this.open = new int[states];
        linkBack();
    }

    /** Breadth first: a state's fallback is shorter than itself, and known before. */
    private void linkBack() {
        List<List<Long>> from = new ArrayList<>();
        for (int i = 0; i < depth.length; i++) {
            from.add(new ArrayList<>(0));
        }
        edges.keySet().forEach(key -> from.get((int) (key >> Byte.SIZE)).add(key));
        Deque<Integer> queue = new ArrayDeque<>(List.of(START));
        while (!queue.isEmpty()) {
            int state = queue.remove();
            open[state] = from.get(state).isEmpty() ? open[fallback[state]] : depth[state];
            for (long key : from.get(state)) {
                int next = edges.getOrDefault(key, START);
                fallback[next] = state == START ? START : next(fallback[state], (byte) key);
                match[next] = Math.max(match[next], match[fallback[next]]);
                queue.add(next);
            }
        }
    }

    /** The state after one more byte. */
    int next(int state, byte b) {
        int from = state;
        while (from != START) {
            int next = edge(from, b);
            if (next != NONE) {
                return next;
            }
            from = fallback[from];
        }
        return Math.max(START, first[b & 0xff]);
    }

    /** How many of the last bytes may still become a value. */
    int open(int state) {
        return open[state];
    }

    /** How many of the last bytes are a value; the longest when several are, 0 when none is. */
    int match(int state) {
        return match[state];
    }

    private int edge(int state, byte b) {
        return edges.getOrDefault(key(state, b), NONE);
    }

    private static long key(int state, byte b) {
        return ((long) state << Byte.SIZE) | (b & 0xff);
    }
}
