# The handler of a signal that is handed on: writes its number, one byte, to a descriptor, and returns. It calls nothing of the C
# library or the JVM, and leaves errno alone. What the kernel returns by stands behind it (SA_RESTORER).
#
#   void handler(int signal)
#
# The loader writes the descriptor's number into the last eight bytes, before the page becomes executable.
#
#   as --64 -o signal.o signal-x86_64.S && objcopy -O binary -j .text signal.o signal.bin

        .text
handler:
        push    %rdi                    # the byte to write lies on the stack
        mov     $1, %eax                # write(descriptor, stack, 1)
        mov     descriptor(%rip), %edi
        mov     %rsp, %rsi
        mov     $1, %edx
        syscall
        pop     %rdi
        ret
        .balign 32, 0x90
restorer:
        mov     $15, %eax               # rt_sigreturn
        syscall
        hlt
        .balign 8, 0x90
descriptor:
        .quad   0
