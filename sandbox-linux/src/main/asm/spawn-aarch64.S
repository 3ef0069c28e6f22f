// The spawn for aarch64; spawn-x86_64.S says what it does. x20: program, x21: index, x19: record, x22: the program of a child to be
// made.
//
//   aarch64-linux-gnu-as -o spawn.o spawn-aarch64.S && aarch64-linux-gnu-objcopy -O binary -j .text spawn.o spawn.bin

        .text
entry:
        stp     x29, x30, [sp, #-64]!
        mov     x29, sp
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        mov     x19, x0
        mov     x1, #-1                 // every signal
        str     x1, [sp, #48]
        mov     x8, #135                // rt_sigprocmask(SIG_SETMASK, all, saved, 8)
        mov     x0, #2
        add     x1, sp, #48
        add     x2, sp, #56
        mov     x3, #8
        svc     #0
        bl      fork
        mov     x22, x0
        mov     x8, #135                // rt_sigprocmask(SIG_SETMASK, saved, NULL, 8)
        mov     x0, #2
        add     x1, sp, #56
        mov     x2, #0
        mov     x3, #8
        svc     #0
        mov     x0, x22
        ldp     x21, x22, [sp, #32]
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #64
        ret

        .macro argument number
        tbz     w9, #\number, 1f
        ldr     x\number, [x\number]
1:
        .endm

load:
        ldr     x9, [x19, #64]
        ldp     x0, x1, [x19, #16]
        ldp     x2, x3, [x19, #32]
        ldp     x4, x5, [x19, #48]
        argument 0
        argument 1
        argument 2
        argument 3
        argument 4
        argument 5
        ldr     x8, [x19, #8]
        ret

fork:
        stp     x29, x30, [sp, #-16]!
        bl      load
        mov     x22, x5
        svc     #0
        cbz     x0, child
        ldp     x29, x30, [sp], #16
        ret
child:
        mov     x29, #0
        mov     x30, #0
        mov     x20, x22

        mov     x21, #0
        ldr     x19, [x20, #8]
next:
        str     x21, [x20, #16]         // where it stands
        ldr     x9, [x20]
        cmp     x21, x9
        b.hs    done
        ldr     x10, [x19]
        tbnz    w10, #0, nested         // a clone
        bl      load
        ldr     x10, [x19]
        tbnz    w10, #1, compare        // a comparison
        svc     #0
result:
        cmn     x0, #4095
        b.hs    failed
store:
        ldr     x9, [x19, #72]
        cbz     x9, advance
        str     x0, [x9]
advance:
        add     x19, x19, #96
        add     x21, x21, #1
        b       next
nested:
        bl      fork
        b       result
compare:
        cmp     x0, x1
        mov     x0, #0
        b.eq    store
        neg     x0, x2
        b       result
failed:
        neg     x9, x0
        cmp     x9, #63
        b.hi    stop
        ldr     x10, [x19, #80]
        lsr     x10, x10, x9
        tbnz    w10, #0, store          // an errno that is no failure
stop:
        str     x9, [x20, #24]
done:
        mov     x8, #94                 // exit_group(126)
        mov     x0, #126
        svc     #0
        brk     #0
