package dev.sandbox.domain.resolve;

import dev.sandbox.domain.path.AbsolutePath;

/**
 * A unix socket by which a service gives its callers more than the step shall have. To grant it by accident, or a folder around it, is
 * refused.
 *
 * @param path where it is, if it is there
 * @param service whose it is, for people
 */
public record ServiceSocket(AbsolutePath path, String service) {}
