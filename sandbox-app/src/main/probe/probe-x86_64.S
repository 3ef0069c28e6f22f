# The probe of `sandbox selftest` for x86-64: makes the system calls that its arguments spell, and needs no library, no interpreter
# and no file but itself. What an argument means:
#
#   123, -1     a number                    :TEXT   the address of TEXT
#   @N          what call N returned        %HEX    the address of these bytes
#   &N          the address N bytes into a zeroed buffer of 4096
#   ,           make the call: its number, then its arguments
#
# Ends with 0 after the last call, or with the errno of the first that failed.
#
#   as -o probe.o probe-x86_64.S && objcopy -O binary probe.o probe
#
# The ELF header stands here as bytes (elf(5)), so that no linker has a say in them.
        .intel_syntax noprefix
        .set    BASE, 0x400000
        .set    RESULTS, 0              # 16 of 8 bytes
        .set    ARGUMENTS, 128          # 8 of 8 bytes
        .set    BUFFER, 192
        .set    FRAME, 192 + 4096

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

start:  lea     r12, [rsp + 16]         # &argv[1]
        sub     rsp, FRAME
        mov     r13, rsp
        xor     r14d, r14d              # calls made
        mov     rdi, r13                # argv[0] and what the loader left are above; below is not promised to be zero
        mov     ecx, FRAME / 8
        xor     eax, eax
        rep stosq
next:   xor     ebp, ebp                # values of this call
token:  mov     rsi, [r12]
        add     r12, 8
        test    rsi, rsi
        jz      done
        movzx   eax, byte ptr [rsi]
        inc     rsi
        cmp     al, ','
        je      call
        cmp     al, ':'
        je      text
        cmp     al, '@'
        je      result
        cmp     al, '&'
        je      buffer
        cmp     al, '%'
        je      bytes
        dec     rsi
        call    number
        jmp     store

text:   mov     rax, rsi
        jmp     store
result: call    number
        and     eax, 15
        mov     rax, [r13 + RESULTS + rax * 8]
        jmp     store
buffer: call    number
        lea     rax, [r13 + BUFFER + rax]
        jmp     store
bytes:  mov     rdi, rsi
        mov     rdx, rsi
1:      call    nibble
        jc      2f
        mov     ecx, eax
        shl     ecx, 4
        call    nibble
        or      eax, ecx
        mov     [rdi], al
        inc     rdi
        jmp     1b
2:      mov     rax, rdx

store:  and     ebp, 7
        mov     [r13 + ARGUMENTS + rbp * 8], rax
        inc     ebp
        jmp     token

call:   mov     rax, [r13 + ARGUMENTS]
        mov     rdi, [r13 + ARGUMENTS + 8]
        mov     rsi, [r13 + ARGUMENTS + 16]
        mov     rdx, [r13 + ARGUMENTS + 24]
        mov     r10, [r13 + ARGUMENTS + 32]
        mov     r8, [r13 + ARGUMENTS + 40]
        mov     r9, [r13 + ARGUMENTS + 48]
        syscall
        cmp     rax, -4095
        jae     failed
        mov     ecx, r14d
        and     ecx, 15
        mov     [r13 + RESULTS + rcx * 8], rax
        inc     r14d
        lea     rdi, [r13 + ARGUMENTS]  # what the next call does not name is 0
        mov     ecx, 8
        xor     eax, eax
        rep stosq
        jmp     next

done:   xor     edi, edi
        jmp     exit
failed: neg     eax
        mov     edi, eax
exit:   mov     eax, 231                # exit_group
        syscall

# rsi: text; rax: its value, decimal
number: xor     eax, eax
        xor     r8d, r8d
        cmp     byte ptr [rsi], '-'
        jne     1f
        inc     r8d
        inc     rsi
1:      movzx   ecx, byte ptr [rsi]
        sub     ecx, '0'
        cmp     ecx, 9
        ja      2f
        imul    rax, rax, 10
        add     rax, rcx
        inc     rsi
        jmp     1b
2:      test    r8d, r8d
        jz      3f
        neg     rax
3:      ret

# rsi: text, moved on; eax: 0 to 15; carry at the end of the text
nibble: movzx   eax, byte ptr [rsi]
        inc     rsi
        test    al, al
        jz      2f
        sub     eax, '0'
        cmp     eax, 9
        jbe     1f
        sub     eax, 'a' - '0' - 10
1:      clc
        ret
2:      stc
        ret
end:
