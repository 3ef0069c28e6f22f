package dev.sandbox.docker;

import java.util.List;

/**
 * What is known of an image.
 *
 * @param id its id, which does not move when a tag does
 * @param variables names of the variables that it sets, and that a step must not see
 */
record ImageFacts(String id, List<String> variables) {}
