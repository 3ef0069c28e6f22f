package dev.sandbox.domain.path;

import java.util.List;

/**
 * A symbolic link on the way of a path. Immutable, thread-safe.
 *
 * @param link where it stands; the links before it are followed
 * @param target its text, as readlink(2) tells it
 * @param rest the names that the path goes on with behind the link; {@code ..} among them, where an earlier link's text holds it
 */
public record FollowedLink(AbsolutePath link, String target, List<String> rest) {
    public FollowedLink {
        rest = List.copyOf(rest);
    }

    /** The link with the rest of the path behind it. */
    AbsolutePath name() {
        return rest.isEmpty() ? link : link.resolve(String.join("/", rest));
    }

    /** As {@code /link -> target}. */
    @Override
    public String toString() {
        return link + " -> " + target;
    }
}
