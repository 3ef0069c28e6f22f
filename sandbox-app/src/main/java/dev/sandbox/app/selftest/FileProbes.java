package dev.sandbox.app.selftest;

import static dev.sandbox.app.selftest.ProbeCalls.buffer;
import static dev.sandbox.app.selftest.ProbeCalls.number;
import static dev.sandbox.app.selftest.ProbeCalls.result;
import static dev.sandbox.app.selftest.ProbeCalls.text;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.domain.isolation.BackendName;
import dev.sandbox.linux.uapi.Fcntl;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;

/** Attacks on files outside the grants, and on those that may only be read. */
final class FileProbes {
    private static final Claim READ = Claim.of(Guarantee.FS_READ);
    private static final Claim WRITE = Claim.of(Guarantee.FS_WRITE);
    private static final Claim METADATA = Claim.of(Guarantee.FS_METADATA);
    private static final Claim DESCRIPTORS = Claim.always("no descriptor is inherited");
    private static final Claim CAPABILITIES = Claim.always("no capability is kept");

    private static final long CALLERS_FOLDER = Fcntl.AT_FDCWD;
    private static final int EXAMPLE_LENGTH = 8;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int CHARACTER_DEVICE = 0x2180; // S_IFCHR | 0600
    private static final int MEMORY_DEVICE = 0x101; // makedev(1, 1): /dev/mem

    private FileProbes() {}

    static List<Probe> of(Scene scene) {
        ProbeGroup group = new ProbeGroup(scene, Setting.PLAIN, "fs");
        reading(group, scene);
        writing(group, scene);
        readOnly(group, scene);
        metadata(group, scene);
        return group.probes();
    }

    private static void reading(ProbeGroup group, Scene scene) {
        group.script("read", READ, "read a file", "verdict holds_word \"$outside/secret\"")
                .script("list", READ, "list a folder", "list() { ls \"$outside\" | grep -q secret; }; verdict list")
                .script("dotdot", READ, "read by ..", "verdict holds_word \"$inside/../outside/secret\"")
                .script("symlink_read", READ, "read through a link of one's own", """
                        ln -s "$outside/secret" "$inside/link"; verdict holds_word "$inside/link"; rm "$inside/link"
                        """)
                .script("symlink_race", READ, "read through a link that changes its target meanwhile", """
                        race() {
                            n=0
                            while [ $n -lt 40 ]; do
                                ln -sfn "$inside/plain" "$inside/turn"
                                ln -sfn "$outside/secret" "$inside/turn" & holds_word "$inside/turn" && return 0
                                wait; n=$((n + 1))
                            done
                            return 1
                        }
                        verdict race; wait; rm -f "$inside/turn"
                        """)
                .script("proc_root", READ, "read through /proc/self/root", """
                        verdict holds_word "/proc/self/root$outside/secret"
                        """)
                .script("caller_root", READ, "read through the caller's /proc/PID/root", """
                        verdict holds_word "/proc/$caller/root$outside/secret"
                        """)
                .script("caller_fd", READ, "read through the caller's /proc/PID/fd", """
                        verdict holds_word "/proc/$caller/fd/$descriptor"
                        """)
                .calls(
                        "open_path",
                        READ,
                        "open as O_PATH and again for reading",
                        openPath(scene),
                        Evidence.unlessDenied())
                .calls(
                        "descriptor",
                        DESCRIPTORS,
                        "read a descriptor that the caller left open",
                        inherited(scene),
                        Evidence.prints(scene.word()))
                .script("exec", READ, "execute a program", "runs \"$outside/tool\"")
                .script("loader", READ, "execute a program by the dynamic loader", loader("$outside/program"))
                .script(
                        "loader_unexecutable",
                        Claim.always("what may not be executed is not"),
                        "execute a readable file without x by the dynamic loader",
                        loader("$readonly/program"))
                .openEverywhere("whatever a step can read it can run")
                .script("devices", READ, "read memory, the kernel's log or a disk", """
                        disks() {
                            for device in /dev/mem /dev/port /dev/kmsg /dev/sda /dev/vda /dev/nvme0n1; do
                                dd if=$device of=/dev/null bs=1 count=1 && return 0
                            done
                            return 1
                        }
                        verdict disks
                        """);
    }

    private static void writing(ProbeGroup group, Scene scene) {
        group.script("write", WRITE, "append to a file", "verdict append \"$outside/secret\"")
                .script("create", WRITE, "create a file", "verdict touch \"$outside/new\"")
                .script("delete", WRITE, "delete a file", "verdict rm \"$outside/secret\"")
                .script("mkdir", WRITE, "create a folder", "verdict mkdir \"$outside/made\"")
                .script("rmdir", WRITE, "remove a folder", "verdict rmdir \"$outside/empty\"")
                .script("rename_out", WRITE, "move a file to where one may write", """
                        verdict mv "$outside/secret" "$inside/taken"
                        """)
                .script("rename_over", WRITE, "move a file of one's own over another", """
                        echo attack > "$inside/mine"; verdict mv "$inside/mine" "$outside/secret"; rm -f "$inside/mine"
                        """)
                .script("hard_link", READ, "make a hard link where one may read", """
                        verdict ln "$outside/secret" "$inside/linked"; rm -f "$inside/linked"
                        """)
                .script("symlink_write", WRITE, "write through a link of one's own", """
                        ln -s "$outside/secret" "$inside/out"; verdict append "$inside/out"; rm "$inside/out"
                        """)
                .script(
                        "control_files",
                        Claim.always("the sandbox's own files are out of reach"),
                        "open what the sandbox keeps of its runs for writing",
                        """
                        for file in /tmp/.sandbox-* /tmp/.sandbox-*/* /tmp/sbx-* /run/sandbox* /run/sandbox*/* "$XDG_RUNTIME_DIR"/sandbox*/*; do
                            [ -f "$file" ] || continue
                            if ( : >> "$file" ) 2>/dev/null; then echo ESCAPED; exit; fi
                        done
                        echo DENIED
                        """)
                .script("make_link", WRITE, "make a symbolic link", "verdict ln -s /etc \"$outside/etc\"")
                .calls(
                        "truncate",
                        WRITE,
                        "truncate a file",
                        new ProbeCalls().call(SyscallNumbers.TRUNCATE, text(scene.outside() + "/secret"), number(0)),
                        Evidence.unlessDenied())
                .calls("mknod", CAPABILITIES, "make a device file", deviceFile(scene), Evidence.unlessDenied());
    }

    private static void readOnly(ProbeGroup group, Scene scene) {
        group.script("readonly_write", WRITE, "write to a file that may be read", "verdict append \"$readonly/word\"")
                .script("readonly_create", WRITE, "create beside it", "verdict touch \"$readonly/new\"")
                .script("readonly_delete", WRITE, "delete it", "verdict rm \"$readonly/word\"")
                .script("readonly_rename", WRITE, "rename it", "verdict mv \"$readonly/word\" \"$readonly/other\"")
                .script("readonly_hard_link", WRITE, "write to it by a hard link in a writable folder", """
                        relink() { ln "$readonly/word" "$inside/word" && echo attack >> "$inside/word"; }
                        verdict relink; rm -f "$inside/word"
                        """)
                .calls(
                        "readonly_mmap",
                        WRITE,
                        "write to it by a shared mapping",
                        mapping(scene),
                        Evidence.unlessDenied());
    }

    private static void metadata(ProbeGroup group, Scene scene) {
        group.script("chmod", METADATA, "change a mode", "verdict chmod 600 \"$outside/secret\"")
                .script("utime", METADATA, "change a time", "verdict touch -t 200101010000 \"$outside/secret\"")
                .calls("xattr", METADATA, "set an extended attribute", attribute(scene), Evidence.unlessDenied())
                .script("stat", Claim.always("names outside are not seen"), "learn that a file exists", """
                        verdict test -e "$outside/secret"
                        """)
                .openOn(BackendName.LANDLOCK, "landlock does not govern stat");
    }

    /** The probe program's first descriptor is 3. */
    private static ProbeCalls openPath(Scene scene) {
        return new ProbeCalls()
                .call(
                        SyscallNumbers.OPENAT,
                        number(CALLERS_FOLDER),
                        text(scene.outside() + "/secret"),
                        number(Fcntl.O_PATH))
                .call(SyscallNumbers.OPENAT, number(CALLERS_FOLDER), text("/proc/self/fd/3"), number(0))
                .call(SyscallNumbers.READ, result(1), buffer(), number(EXAMPLE_LENGTH));
    }

    private static ProbeCalls inherited(Scene scene) {
        return new ProbeCalls()
                .call(
                        SyscallNumbers.READ,
                        number(scene.descriptor()),
                        buffer(),
                        number(scene.word().length()))
                .call(SyscallNumbers.WRITE, number(1), buffer(), result(0));
    }

    /** Prints a file's beginning, as long as the victims' word. */
    static ProbeCalls reading(String path, Scene scene) {
        return new ProbeCalls()
                .call(SyscallNumbers.OPENAT, number(CALLERS_FOLDER), text(path), number(0))
                .call(
                        SyscallNumbers.READ,
                        result(0),
                        buffer(),
                        number(scene.word().length()))
                .call(SyscallNumbers.WRITE, number(1), buffer(), result(1));
    }

    private static ProbeCalls mapping(Scene scene) {
        return new ProbeCalls()
                .call(SyscallNumbers.OPENAT, number(CALLERS_FOLDER), text(scene.readonly() + "/word"), number(0))
                .call(
                        SyscallNumbers.MMAP,
                        number(0),
                        number(EXAMPLE_LENGTH),
                        number(PROT_READ_WRITE),
                        number(MAP_SHARED),
                        result(0));
    }

    private static ProbeCalls deviceFile(Scene scene) {
        return new ProbeCalls()
                .call(
                        SyscallNumbers.MKNODAT,
                        number(CALLERS_FOLDER),
                        text(scene.inside() + "/device"),
                        number(CHARACTER_DEVICE),
                        number(MEMORY_DEVICE));
    }

    private static ProbeCalls attribute(Scene scene) {
        return new ProbeCalls()
                .call(
                        SyscallNumbers.SETXATTR,
                        text(scene.outside() + "/secret"),
                        text("user.selftest"),
                        text("x"),
                        number(1));
    }

    private static String loader(String program) {
        return """
                for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
                    if [ -x $loader ]; then runs $loader "%s"; exit; fi
                done
                echo UNTRIED no dynamic loader of glibc here
                """.formatted(program);
    }
}
