# The spawn: blocks all signals, clones, carries a list of system calls out in the child, and restores the mask in the caller.
#
#   long entry(const struct record *clone)      the clone's result: a process id or a negative errno
#
# The layout of records and programs is in Layout.java. The child shares the caller's memory and has a stack of its own; it never
# returns: its list ends in execve, or it exits. r12: program, r14: index, rbx: record, r13: the program of a child to be made.
#
#   as --64 -o spawn.o spawn-x86_64.S && objcopy -O binary -j .text spawn.o spawn.bin

        .text
entry:
        push    %rbx
        push    %r12
        push    %r13
        push    %r14
        sub     $24, %rsp
        mov     %rdi, %rbx
        movq    $-1, (%rsp)             # every signal
        mov     $14, %eax               # rt_sigprocmask(SIG_SETMASK, all, saved, 8)
        mov     $2, %edi
        mov     %rsp, %rsi
        lea     8(%rsp), %rdx
        mov     $8, %r10d
        syscall
        call    fork
        mov     %rax, %r13
        mov     $14, %eax               # rt_sigprocmask(SIG_SETMASK, saved, NULL, 8)
        mov     $2, %edi
        lea     8(%rsp), %rsi
        xor     %edx, %edx
        mov     $8, %r10d
        syscall
        mov     %r13, %rax
        add     $24, %rsp
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbx
        ret

        .macro argument offset, register, bit
        mov     \offset(%rbx), %\register
        test    $\bit, %cl
        jz      1f
        mov     (%\register), %\register
1:
        .endm

# Loads the six arguments of the record; each whose bit is set in the mask is the address of what to load.
load:
        mov     64(%rbx), %rcx
        argument 16, rdi, 1
        argument 24, rsi, 2
        argument 32, rdx, 4
        argument 40, r10, 8
        argument 48, r8, 16
        argument 56, r9, 32
        mov     8(%rbx), %rax
        ret

# A clone: the sixth argument is the child's program. Returns in the caller alone.
fork:
        call    load
        mov     %r9, %r13
        syscall
        test    %rax, %rax
        jz      child
        ret
child:
        xor     %ebp, %ebp
        mov     %r13, %r12

        xor     %r14d, %r14d
        mov     8(%r12), %rbx
next:
        mov     %r14, 16(%r12)          # where it stands
        cmp     (%r12), %r14
        jae     done
        testb   $1, (%rbx)              # a clone
        jnz     nested
        call    load
        testb   $2, (%rbx)              # a comparison
        jnz     compare
        syscall
result:
        cmp     $-4095, %rax
        jae     failed
store:
        mov     72(%rbx), %rcx
        test    %rcx, %rcx
        jz      advance
        mov     %rax, (%rcx)
advance:
        add     $96, %rbx
        inc     %r14
        jmp     next
nested:
        call    fork
        jmp     result
compare:
        xor     %eax, %eax
        cmp     %rsi, %rdi
        je      store
        mov     %rdx, %rax
        neg     %rax
        jmp     result
failed:
        mov     %rax, %rcx
        neg     %rcx
        cmp     $63, %rcx
        ja      stop
        mov     80(%rbx), %rdx
        bt      %rcx, %rdx              # an errno that is no failure
        jc      store
stop:
        mov     %rcx, 24(%r12)
done:
        mov     $231, %eax              # exit_group(126)
        mov     $126, %edi
        syscall
        hlt
