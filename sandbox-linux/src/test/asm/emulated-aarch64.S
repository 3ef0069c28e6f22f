// A program around the spawn's code, to be run by qemu-user: its child stores a result, compares it with itself, writes a line, bears
// an error that is none, and stops at one that is. The program ends with 0 when the clone gave a process.

        .text
        .globl _start
_start: adrp    x0, rec
        add     x0, x0, :lo12:rec
        bl      entry
        cmp     x0, #0
        cset    w0, le
        mov     x8, #94                 // exit_group
        svc     #0

        .include "spawn-aarch64.S"

        .data
        .align  4
prog:   .quad   6, recs, 0, 0
slot:   .quad   0
pid:    .quad   0
recs:   .quad   0, 173, 0, 0, 0, 0, 0, 0, 0, slot, 0, 0         // getppid() -> slot
        .quad   2, 0, slot, slot, 22, 0, 0, 0, 3, 0, 0, 0       // compare(slot, slot)
        .quad   0, 64, 1, good, 6, 0, 0, 0, 0, 0, 0, 0          // write(1, "child\n")
        .quad   0, 49, nope, 0, 0, 0, 0, 0, 0, 0, 4, 0          // chdir("/nonexistent") unless ENOENT
        .quad   2, 0, slot, 0, 22, 0, 0, 0, 1, 0, 0, 0          // compare(slot, 0): stops here
        .quad   0, 64, 1, bad, 4, 0, 0, 0, 0, 0, 0, 0           // never
good:   .ascii  "child\n"
bad:    .ascii  "bad\n"
nope:   .asciz  "/nonexistent"
        .align  4
rec:    .quad   1, 220, 0x104111, top, pid, 0, 0, prog, 0, 0, 0, 0
        .bss
        .align  4
        .skip   65536
top:    .skip   16
