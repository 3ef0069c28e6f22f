// The handler of a signal that is handed on: writes its number, one byte, to a descriptor, and returns to where the kernel said. It
// calls nothing of the C library or the JVM, and leaves errno alone.
//
//   void handler(int signal)
//
// The loader writes the descriptor's number into the last eight bytes, before the page becomes executable.
//
//   aarch64-linux-gnu-as -o signal.o signal-aarch64.S && aarch64-linux-gnu-objcopy -O binary -j .text signal.o signal.bin

        .text
handler:
        str     x0, [sp, #-16]!         // the byte to write lies on the stack
        mov     x8, #64                 // write(descriptor, stack, 1)
        ldr     w0, descriptor
        mov     x1, sp
        mov     x2, #1
        svc     #0
        add     sp, sp, #16
        ret
        .balign 8
descriptor:
        .quad   0
