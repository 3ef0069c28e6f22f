# The probe of `sandbox selftest` for aarch64; what it does is told in probe-x86_64.S.
#
#   as -o probe.o probe-aarch64.S && objcopy -O binary probe.o probe
        .set    BASE, 0x400000
        .set    RESULTS, 0              // 16 of 8 bytes
        .set    ARGUMENTS, 128          // 8 of 8 bytes
        .set    BUFFER, 192
        .set    FRAME, 192 + 4096

        .text
header: .byte   0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0
        .short  2, 183                  // ET_EXEC, EM_AARCH64
        .long   1
        .quad   BASE + start - header, programs - header, 0
        .long   0
        .short  64, 56, 2, 0, 0, 0
programs:
        .long   1, 5                    // PT_LOAD, read and execute
        .quad   0, BASE, BASE, end - header, end - header, 0x10000
        .long   0x6474e551, 6           // PT_GNU_STACK, read and write
        .quad   0, 0, 0, 0, 0, 16

start:  add     x19, sp, 16             // &argv[1]
        sub     sp, sp, 4096
        sub     sp, sp, FRAME - 4096
        mov     x20, sp
        mov     x21, 0                  // calls made
        mov     x9, FRAME / 8
        mov     x10, x20
1:      str     xzr, [x10], 8
        subs    x9, x9, 1
        b.ne    1b
next:   mov     x22, 0                  // values of this call
token:  ldr     x1, [x19], 8
        cbz     x1, done
        ldrb    w0, [x1], 1
        cmp     w0, ','
        b.eq    call
        cmp     w0, ':'
        b.eq    text
        cmp     w0, '@'
        b.eq    result
        cmp     w0, '&'
        b.eq    buffer
        cmp     w0, '%'
        b.eq    bytes
        sub     x1, x1, 1
        bl      number
        b       store

text:   mov     x0, x1
        b       store
result: bl      number
        and     x0, x0, 15
        ldr     x0, [x20, x0, lsl 3]
        b       store
buffer: bl      number
        add     x0, x0, x20
        add     x0, x0, BUFFER
        b       store
bytes:  mov     x5, x1
        mov     x6, x1
1:      bl      nibble
        tbnz    w0, 31, 2f
        lsl     w4, w0, 4
        bl      nibble
        orr     w0, w0, w4
        strb    w0, [x5], 1
        b       1b
2:      mov     x0, x6

store:  and     x22, x22, 7
        add     x9, x20, ARGUMENTS
        str     x0, [x9, x22, lsl 3]
        add     x22, x22, 1
        b       token

call:   ldr     x8, [x20, ARGUMENTS]
        ldr     x0, [x20, ARGUMENTS + 8]
        ldr     x1, [x20, ARGUMENTS + 16]
        ldr     x2, [x20, ARGUMENTS + 24]
        ldr     x3, [x20, ARGUMENTS + 32]
        ldr     x4, [x20, ARGUMENTS + 40]
        ldr     x5, [x20, ARGUMENTS + 48]
        svc     0
        cmn     x0, 4095
        b.hs    failed
        and     x9, x21, 15
        str     x0, [x20, x9, lsl 3]
        add     x21, x21, 1
        add     x10, x20, ARGUMENTS     // what the next call does not name is 0
        stp     xzr, xzr, [x10]
        stp     xzr, xzr, [x10, 16]
        stp     xzr, xzr, [x10, 32]
        stp     xzr, xzr, [x10, 48]
        b       next

done:   mov     x0, 0
        b       exit
failed: neg     x0, x0
exit:   mov     x8, 94                  // exit_group
        svc     0

// x1: text; x0: its value, decimal
number: mov     x0, 0
        mov     x7, 0
        mov     x10, 10
        ldrb    w9, [x1]
        cmp     w9, '-'
        b.ne    1f
        mov     x7, 1
        add     x1, x1, 1
1:      ldrb    w9, [x1], 1
        sub     w9, w9, '0'
        cmp     w9, 9
        b.hi    2f
        mul     x0, x0, x10
        add     x0, x0, x9
        b       1b
2:      cbz     x7, 3f
        neg     x0, x0
3:      ret

// x1: text, moved on; w0: 0 to 15, or -1 at the end of the text
nibble: ldrb    w0, [x1], 1
        cbz     w0, 2f
        sub     w0, w0, '0'
        cmp     w0, 9
        b.ls    1f
        sub     w0, w0, 'a' - '0' - 10
1:      ret
2:      mov     w0, -1
        ret
end:
