package dev.sandbox.docker;

/**
 * A container that carries a label.
 *
 * @param id its id
 * @param label what the label says
 * @param state as the engine names it, for example {@code running}
 */
record LabelledContainer(String id, String label, String state) {}
