package dev.sandbox.bench;

/**
 * One way to run {@code /bin/true}, measured beside others.
 *
 * @param group what it is compared within: {@code command} is a whole process, {@code library} a call inside this JVM
 * @param name what it is called in tables
 * @param each how many calls make one turn; the mean of a turn is one sample
 * @param way runs it once, and fails when the program did not end with 0
 */
record Contender(String group, String name, int each, Way way) {
    /** Runs {@code /bin/true} once. */
    @FunctionalInterface
    interface Way {
        void run() throws Exception;
    }

    static final String COMMAND = "command";
    static final String LIBRARY = "library";

    /** Milliseconds that one run took, the mean of a turn. */
    double turn() throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < each; i++) {
            way.run();
        }
        return (System.nanoTime() - start) / 1e6 / each;
    }
}
