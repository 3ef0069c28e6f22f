package dev.sandbox.mountns;

import dev.sandbox.linux.RawSyscalls;

/**
 * Who this process is.
 *
 * @param uid its effective user
 * @param gid its effective group
 */
record Account(long uid, long gid) {
    static Account ofThisProcess(RawSyscalls raw) {
        return new Account(Integer.toUnsignedLong(raw.geteuid()), Integer.toUnsignedLong(raw.getegid()));
    }
}
