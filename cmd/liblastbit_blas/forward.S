/* The names of SciPy's wheels for the routines that are not ours: scipy_dsyevr_.
 * Each jumps to what lb_resolve found at the first call, with the arguments as
 * they are, however many. */
#if defined(__linux__) && defined(__x86_64__)

.macro forward name
	.section .rodata
name_of_\name:
	.asciz "\name\()_"
	.data
	.balign 8
slot_of_\name:
	.quad 0
	.text
	.globl scipy_\name\()_
	.type scipy_\name\()_, @function
scipy_\name\()_:
	movq slot_of_\name(%rip), %r11
	testq %r11, %r11
	jz 1f
	jmp *%r11
1:	leaq name_of_\name(%rip), %r10
	leaq slot_of_\name(%rip), %r11
	jmp resolve
	.size scipy_\name\()_, . - scipy_\name\()_
.endm

	.text
	.globl lb_forward_begin
	.hidden lb_forward_begin
lb_forward_begin:
resolve:
	pushq %rdi
	pushq %rsi
	pushq %rdx
	pushq %rcx
	pushq %r8
	pushq %r9
	subq $136, %rsp
	movups %xmm0, (%rsp)
	movups %xmm1, 16(%rsp)
	movups %xmm2, 32(%rsp)
	movups %xmm3, 48(%rsp)
	movups %xmm4, 64(%rsp)
	movups %xmm5, 80(%rsp)
	movups %xmm6, 96(%rsp)
	movups %xmm7, 112(%rsp)
	movq %r10, %rdi
	movq %r11, %rsi
	call lb_resolve@PLT
	movq %rax, %r11
	movups (%rsp), %xmm0
	movups 16(%rsp), %xmm1
	movups 32(%rsp), %xmm2
	movups 48(%rsp), %xmm3
	movups 64(%rsp), %xmm4
	movups 80(%rsp), %xmm5
	movups 96(%rsp), %xmm6
	movups 112(%rsp), %xmm7
	addq $136, %rsp
	popq %r9
	popq %r8
	popq %rcx
	popq %rdx
	popq %rsi
	popq %rdi
	jmp *%r11

#include "forwarded.inc"

	.text
	.globl lb_forward_end
	.hidden lb_forward_end
lb_forward_end:
	.section .note.GNU-stack, "", @progbits

#elif defined(__linux__) && defined(__aarch64__)

.macro forward name
	.section .rodata
name_of_\name:
	.asciz "\name\()_"
	.data
	.balign 8
slot_of_\name:
	.quad 0
	.text
	.globl scipy_\name\()_
	.type scipy_\name\()_, %function
scipy_\name\()_:
	adrp x17, slot_of_\name
	ldr x16, [x17, :lo12:slot_of_\name]
	cbz x16, 1f
	br x16
1:	add x17, x17, :lo12:slot_of_\name
	adrp x16, name_of_\name
	add x16, x16, :lo12:name_of_\name
	b resolve
	.size scipy_\name\()_, . - scipy_\name\()_
.endm

	.text
	.globl lb_forward_begin
	.hidden lb_forward_begin
lb_forward_begin:
resolve:
	stp x29, x30, [sp, #-224]!
	mov x29, sp
	stp x0, x1, [sp, #16]
	stp x2, x3, [sp, #32]
	stp x4, x5, [sp, #48]
	stp x6, x7, [sp, #64]
	str x8, [sp, #80]
	stp q0, q1, [sp, #96]
	stp q2, q3, [sp, #128]
	stp q4, q5, [sp, #160]
	stp q6, q7, [sp, #192]
	mov x0, x16
	mov x1, x17
	bl lb_resolve
	mov x16, x0
	ldp x0, x1, [sp, #16]
	ldp x2, x3, [sp, #32]
	ldp x4, x5, [sp, #48]
	ldp x6, x7, [sp, #64]
	ldr x8, [sp, #80]
	ldp q0, q1, [sp, #96]
	ldp q2, q3, [sp, #128]
	ldp q4, q5, [sp, #160]
	ldp q6, q7, [sp, #192]
	ldp x29, x30, [sp], #224
	br x16

#include "forwarded.inc"

	.text
	.globl lb_forward_end
	.hidden lb_forward_end
lb_forward_end:
	.section .note.GNU-stack, "", %progbits

#endif
