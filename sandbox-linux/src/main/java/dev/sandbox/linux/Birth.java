package dev.sandbox.linux;

/**
 * What is there before a child is.
 *
 * @param wake an eventfd by which its exchange is ended
 * @param before since when its descendants' numbers are given
 */
record Birth(FileDescriptor wake, PidClock.Moment before) {
    static Birth next() {
        return new Birth(LinuxSyscalls.host().eventfd(), PidClock.ofThisHost().start());
    }
}
