package dev.sandbox.linux;

import java.util.Arrays;
import java.util.Optional;

/**
 * The error numbers that the calls used here can give, with the text of strerror(3).
 *
 * <p>Source: include/uapi/asm-generic/errno-base.h and errno.h (the same on x86-64 and aarch64).
 */
public enum Errno {
    EPERM(1, "Operation not permitted"),
    ENOENT(2, "No such file or directory"),
    ESRCH(3, "No such process"),
    EINTR(4, "Interrupted system call"),
    EIO(5, "Input/output error"),
    ENXIO(6, "No such device or address"),
    E2BIG(7, "Argument list too long"),
    ENOEXEC(8, "Exec format error"),
    EBADF(9, "Bad file descriptor"),
    ECHILD(10, "No child processes"),
    EAGAIN(11, "Resource temporarily unavailable"),
    ENOMEM(12, "Cannot allocate memory"),
    EACCES(13, "Permission denied"),
    EFAULT(14, "Bad address"),
    EBUSY(16, "Device or resource busy"),
    EEXIST(17, "File exists"),
    EXDEV(18, "Invalid cross-device link"),
    ENODEV(19, "No such device"),
    ENOTDIR(20, "Not a directory"),
    EISDIR(21, "Is a directory"),
    EINVAL(22, "Invalid argument"),
    ENFILE(23, "Too many open files in system"),
    EMFILE(24, "Too many open files"),
    ENOTTY(25, "Inappropriate ioctl for device"),
    ETXTBSY(26, "Text file busy"),
    EFBIG(27, "File too large"),
    ENOSPC(28, "No space left on device"),
    ESPIPE(29, "Illegal seek"),
    EROFS(30, "Read-only file system"),
    EMLINK(31, "Too many links"),
    EPIPE(32, "Broken pipe"),
    ENAMETOOLONG(36, "File name too long"),
    ENOSYS(38, "Function not implemented"),
    ENOTEMPTY(39, "Directory not empty"),
    ELOOP(40, "Too many levels of symbolic links"),
    ENOMSG(42, "No message of desired type"),
    ENODATA(61, "No data available"),
    EOVERFLOW(75, "Value too large for defined data type"),
    ELIBBAD(80, "Accessing a corrupted shared library"),
    EUSERS(87, "Too many users"),
    EOPNOTSUPP(95, "Operation not supported"),
    EAFNOSUPPORT(97, "Address family not supported by protocol"),
    EADDRINUSE(98, "Address already in use"),
    ENOBUFS(105, "No buffer space available"),
    ETIMEDOUT(110, "Connection timed out"),
    ECONNREFUSED(111, "Connection refused"),
    EALREADY(114, "Operation already in progress"),
    ESTALE(116, "Stale file handle"),
    EDQUOT(122, "Disk quota exceeded"),
    ECANCELED(125, "Operation canceled");

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** The number in {@code errno}. */
    public int number() {
        return number;
    }

    /** For people, for example {@code Permission denied}. */
    public String text() {
        return text;
    }

    /** The constant of that number, if it is one of these. */
    public static Optional<Errno> of(int number) {
        return Arrays.stream(values()).filter(e -> e.number == number).findFirst();
    }

    /** For people, whatever the number: {@code Permission denied (EACCES)} or {@code errno 133}. */
    public static String describe(int number) {
        return of(number).map(e -> e.text + " (" + e.name() + ")").orElse("errno " + number);
    }
}
