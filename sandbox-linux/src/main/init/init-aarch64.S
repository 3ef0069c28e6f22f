// The init of a step's PID namespace for aarch64; init-x86_64.S says what it does.
//
//   as -o init.o init-aarch64.S && objcopy -O binary init.o init
        .set    BASE, 0x400000

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

start:  mov     x8, #134                // rt_sigaction(SIGCHLD, ignore, NULL, 8)
        mov     x0, #17
        adr     x1, ignore
        mov     x2, #0
        mov     x3, #8
        svc     #0
        sub     sp, sp, #16
read:   mov     x8, #63                 // read(0, a byte, 1)
        mov     x0, #0
        mov     x1, sp
        mov     x2, #1
        svc     #0
        cmp     x0, #1                  // nobody writes; if one does, it means nothing
        b.eq    read
        cmn     x0, #4                  // EINTR
        b.eq    read
        mov     x8, #93                 // exit(0) at the end of the pipe, and on any error
        mov     x0, #0
        svc     #0
        .balign 8
ignore: .quad   1, 0, 0, 0              // struct sigaction of the kernel: SIG_IGN, no flags, no restorer, no mask
end:
