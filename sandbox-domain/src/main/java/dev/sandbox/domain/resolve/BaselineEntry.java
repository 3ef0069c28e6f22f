package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;

/**
 * One path of the system baseline; skipped where it does not exist.
 *
 * @param path as the system names it; links are followed
 * @param access READ, LIST or DEVICE
 */
public record BaselineEntry(AbsolutePath path, Access access) {}
