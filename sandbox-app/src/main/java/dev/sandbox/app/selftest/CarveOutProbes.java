package dev.sandbox.app.selftest;

import static dev.sandbox.app.selftest.ProbeCalls.number;
import static dev.sandbox.app.selftest.ProbeCalls.text;

import dev.sandbox.domain.guarantee.Guarantee;
import dev.sandbox.linux.uapi.Sched;
import dev.sandbox.linux.uapi.SyscallNumbers;
import java.util.List;

/** Attacks on paths that are blocked inside a granted folder. */
final class CarveOutProbes {
    private static final Claim CARVE_OUT = Claim.of(Guarantee.FS_CARVE_OUT);
    private static final int MNT_DETACH = 2;

    private CarveOutProbes() {}

    /** Attacks on whoever uses a granted folder afterwards. */
    static List<Probe> handoff(Scene scene) {
        return new ProbeGroup(scene, Setting.PLAIN, "handoff")
                .script(
                        "hook",
                        CARVE_OUT,
                        "leave a git hook in a granted folder",
                        "verdict touch \"$inside/.git/hooks/pre-commit\"")
                .script(
                        "config",
                        CARVE_OUT,
                        "change git's configuration there",
                        "verdict append \"$inside/.git/config\"")
                .script(
                        "rename",
                        CARVE_OUT,
                        "put another .git in its place",
                        "verdict mv \"$inside/.git\" \"$inside/former\"")
                .probes();
    }

    static List<Probe> of(Scene scene) {
        return new ProbeGroup(scene, Setting.CARVED, "carve")
                .script("read", CARVE_OUT, "read a blocked file", "verdict holds_word \"$carved/secret\"")
                .script(
                        "read_deep",
                        CARVE_OUT,
                        "read below a blocked folder",
                        "verdict holds_word \"$carved/folder/deep\"")
                .script("write", CARVE_OUT, "write to a blocked file", "verdict append \"$carved/secret\"")
                .script("write_fixed", CARVE_OUT, "write to a blocked-write file", "verdict append \"$carved/fixed\"")
                .script("delete", CARVE_OUT, "delete a blocked-write file", "verdict rm \"$carved/fixed\"")
                .script("replace", CARVE_OUT, "move another file over a blocked-write one", """
                        echo attack > "$carved/mine"; verdict mv "$carved/mine" "$carved/fixed"; rm -f "$carved/mine"
                        """)
                .script("rename", CARVE_OUT, "rename a blocked-write file", """
                        verdict mv "$carved/fixed" "$carved/moved"
                        """)
                .script("rename_parent", CARVE_OUT, "rename the folder above, and read", """
                        away() { mv "$carved" "$inside/away" && holds_word "$inside/away/secret"; }
                        verdict away
                        """)
                .script("hard_link", CARVE_OUT, "make a hard link beside it", """
                        relink() { ln "$carved/fixed" "$carved/linked" && echo attack >> "$carved/linked"; }
                        verdict relink; rm -f "$carved/linked"
                        """)
                .script("symlink", CARVE_OUT, "read by another way", """
                        ln -s "$carved/folder" "$inside/way"; verdict holds_word "$inside/way/deep"; rm "$inside/way"
                        """)
                .script("create_missing", CARVE_OUT, "create a blocked path that does not exist", """
                        create() { echo attack > "$carved/absent" && grep -q attack "$carved/absent"; }
                        verdict create
                        """)
                .calls(
                        "umount",
                        CARVE_OUT,
                        "unmount what hides it",
                        new ProbeCalls()
                                .call(SyscallNumbers.UMOUNT2, text(scene.carved() + "/secret"), number(MNT_DETACH)),
                        Evidence.unlessDenied())
                .calls(
                        "userns_umount",
                        CARVE_OUT,
                        "unmount it in a user namespace of one's own",
                        new ProbeCalls()
                                .call(SyscallNumbers.UNSHARE, number(Sched.CLONE_NEWUSER | Sched.CLONE_NEWNS))
                                .call(SyscallNumbers.UMOUNT2, text(scene.carved() + "/secret"), number(MNT_DETACH)),
                        Evidence.unlessDenied())
                .probes();
    }
}
