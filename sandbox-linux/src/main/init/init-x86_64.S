# The init of a step's PID namespace for x86-64. It does two things: orphans vanish when they end, because SIGCHLD is ignored and the
# kernel then keeps no zombie; and when the last writer of the pipe at descriptor 0 is gone it ends, and with it the whole namespace.
#
#   as -o init.o init-x86_64.S && objcopy -O binary init.o init
#
# The ELF header stands here as bytes (elf(5)), so that no linker has a say in them.
        .intel_syntax noprefix
        .set    BASE, 0x400000

        .text
header: .byte   0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0
        .short  2, 62                   # ET_EXEC, EM_X86_64
        .long   1
        .quad   BASE + start - header, programs - header, 0
        .long   0
        .short  64, 56, 2, 0, 0, 0
programs:
        .long   1, 5                    # PT_LOAD, read and execute
        .quad   0, BASE, BASE, end - header, end - header, 0x1000
        .long   0x6474e551, 6           # PT_GNU_STACK, read and write
        .quad   0, 0, 0, 0, 0, 16

start:  mov     eax, 13                 # rt_sigaction(SIGCHLD, ignore, NULL, 8)
        mov     edi, 17
        lea     rsi, [rip + ignore]
        xor     edx, edx
        mov     r10d, 8
        syscall
read:   xor     eax, eax                # read(0, a byte, 1)
        xor     edi, edi
        lea     rsi, [rsp - 8]
        mov     edx, 1
        syscall
        cmp     rax, 1                  # nobody writes; if one does, it means nothing
        je      read
        cmp     rax, -4                 # EINTR
        je      read
        mov     eax, 60                 # exit(0) at the end of the pipe, and on any error
        xor     edi, edi
        syscall
        .balign 8
ignore: .quad   1, 0, 0, 0              # struct sigaction of the kernel: SIG_IGN, no flags, no restorer, no mask
end:
