package dev.sandbox.domain.path;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A normalized absolute POSIX path: one leading slash, no empty component, no {@code .}, no {@code ..}, no NUL, no
 * trailing slash. Ordered and compared by component, never by string prefix: {@code /a/b} contains {@code /a/b/c} and not
 * {@code /a/bc}. Says nothing about what stands there, nor about symbolic links. Immutable, thread-safe.
 *
 * @see <a href="https://pubs.opengroup.org/onlinepubs/9699919799/basedefs/V1_chap04.html">POSIX, 4.13 Pathname Resolution</a>
 */
public final class AbsolutePath implements Comparable<AbsolutePath> {
    /** The longest path that the kernel takes in one call, in bytes, its final NUL included (limits.h, PATH_MAX). */
    public static final int PATH_MAX = 4096;

    /** The root directory, {@code /}. */
    public static final AbsolutePath ROOT = new AbsolutePath(List.of());

    private final List<String> components;

    private AbsolutePath(List<String> components) {
        this.components = components;
    }

    /**
     * Normalizes repeated slashes and {@code .}.
     *
     * @throws IllegalArgumentException when the text is not absolute, or holds a NUL or a {@code ..} component; the message
     *     says which, for people
     */
    public static AbsolutePath of(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("is not an absolute path");
        }
        return ROOT.followedBy(text);
    }

    /**
     * The same path as a value of ours; nothing is looked up.
     *
     * @throws IllegalArgumentException as {@link #of(String)} does
     */
    public static AbsolutePath of(Path path) {
        return of(path.toString());
    }

    /**
     * This path followed by a relative one; an absolute text stands for itself.
     *
     * @throws IllegalArgumentException when the text holds a NUL or a {@code ..} component
     */
    public AbsolutePath resolve(String relative) {
        return relative.startsWith("/") ? of(relative) : followedBy(relative);
    }

    private AbsolutePath followedBy(String relative) {
        List<String> result = new ArrayList<>(components);
        for (String component : relative.split("/", -1)) {
            if (component.isEmpty() || component.equals(".")) {
                continue;
            }
            result.add(checked(component));
        }
        return new AbsolutePath(Collections.unmodifiableList(result));
    }

    private static String checked(String component) {
        if (component.equals("..")) {
            throw new IllegalArgumentException("contains '..'; write the path without it");
        }
        if (component.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("contains a NUL character");
        }
        return component;
    }

    /** The names between the slashes, outermost first; empty for the root. */
    public List<String> components() {
        return components;
    }

    /** The last component, or the empty string for the root. */
    public String name() {
        return components.isEmpty() ? "" : components.get(components.size() - 1);
    }

    /** The directory that holds this path; absent for the root. */
    public Optional<AbsolutePath> parent() {
        return components.isEmpty() ? Optional.empty() : Optional.of(prefix(components.size() - 1));
    }

    /** All directories above this path, the root first, this path not among them. */
    public List<AbsolutePath> ancestors() {
        List<AbsolutePath> result = new ArrayList<>(components.size());
        for (int length = 0; length < components.size(); length++) {
            result.add(prefix(length));
        }
        return Collections.unmodifiableList(result);
    }

    private AbsolutePath prefix(int length) {
        return new AbsolutePath(components.subList(0, length));
    }

    /** True when {@code other} is this path or lies below it. */
    public boolean contains(AbsolutePath other) {
        int length = components.size();
        return other.components.size() >= length && components.equals(other.components.subList(0, length));
    }

    /** True when {@code other} lies below this path and is not this path. */
    public boolean strictlyContains(AbsolutePath other) {
        return other.components.size() > components.size() && contains(other);
    }

    /**
     * The path from this one to {@code other}, as a relative text; empty when they are the same.
     *
     * @throws IllegalArgumentException when {@code other} does not lie below this path
     */
    public String relativize(AbsolutePath other) {
        if (!contains(other)) {
            throw new IllegalArgumentException(other + " does not lie below " + this);
        }
        return String.join("/", other.components.subList(components.size(), other.components.size()));
    }

    @Override
    public int compareTo(AbsolutePath other) {
        int shared = Math.min(components.size(), other.components.size());
        for (int i = 0; i < shared; i++) {
            int order = components.get(i).compareTo(other.components.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(components.size(), other.components.size());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AbsolutePath that && components.equals(that.components);
    }

    @Override
    public int hashCode() {
        return components.hashCode();
    }

    /** The path as the kernel takes it, for example {@code /srv/work}. */
    @Override
    public String toString() {
        return "/" + String.join("/", components);
    }
}
