package dev.sandbox.bench;

/**
 * What one contender took, in milliseconds.
 *
 * @param group as {@link Contender#group}
 * @param name as {@link Contender#name}
 * @param median of all its turns
 * @param p10 the tenth part was faster
 * @param p90 the tenth part was slower
 */
record Measured(String group, String name, double median, double p10, double p90) {}
