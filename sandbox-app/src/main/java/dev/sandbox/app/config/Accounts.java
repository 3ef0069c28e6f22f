package dev.sandbox.app.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Names of accounts and groups in /etc/passwd and /etc/group. Those of a directory service are not found there: no program is started
 * to ask one.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/passwd.5.html">passwd(5)</a>
 */
final class Accounts {
    private static final int NUMBER = 2;
    private static final int GROUP = 3;

    private final Path users;
    private final Path groups;

    Accounts(Path users, Path groups) {
        this.users = users;
        this.groups = groups;
    }

    /** This host's. */
    static Accounts ofThisHost() {
        return new Accounts(Path.of("/etc/passwd"), Path.of("/etc/group"));
    }

    OptionalLong uid(String name) {
        return field(users, name, NUMBER);
    }

    /** The group that an account is in first. */
    OptionalLong groupOf(String name) {
        return field(users, name, GROUP);
    }

    OptionalLong gid(String name) {
        return field(groups, name, NUMBER);
    }

    private static OptionalLong field(Path file, String name, int index) {
        try {
            // Bytes that are no UTF-8, in somebody's full name, must not hide the others.
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            return text.lines()
                    .map(line -> line.split(":", -1))
                    .filter(fields -> fields.length > index && fields[0].equals(name))
                    .filter(fields -> fields[index].matches("[0-9]{1,9}"))
                    .mapToLong(fields -> Long.parseLong(fields[index]))
                    .findFirst();
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage() + "; write a number", e);
        }
    }
}
