//go:build !purego && !faketime && !static && ((linux && !android) || (darwin && !ios)) && (amd64 || arm64)

package dl

import (
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// keeper calls a loop as C might. It returns 0 if the callee-saved registers
// and the stack pointer come back unchanged.
const keeper = `
double half(double x) { return x / 2; }
double minus(double x, double y) { return x - y; }
#ifdef __APPLE__
#define NAME "_kept"
#else
#define NAME "kept"
#endif
__asm__(".text\n.globl " NAME "\n" NAME ":\n"
#if defined(__x86_64__)
	"pushq %rbx; pushq %rbp; pushq %r12; pushq %r13; pushq %r14; pushq %r15; subq $8, %rsp\n"
	"movq %rdi, %rax; movq %rsi, %rdi; movq %rdx, %rsi; movq %rcx, %rdx; movq %r8, %rcx; "
	"movq %r9, %r8\n"
	"movq $0x11111111, %rbx; movq $0x22222222, %rbp; movq $0x33333333, %r12; "
	"movq $0x44444444, %r13\n"
	"movq $0x55555555, %r14; movq $0x66666666, %r15; movq %rsp, (%rsp)\n"
	"callq *%rax\n"
	"xorq $0x11111111, %rbx; xorq $0x22222222, %rbp; xorq $0x33333333, %r12; "
	"xorq $0x44444444, %r13\n"
	"xorq $0x55555555, %r14; xorq $0x66666666, %r15; movq %rsp, %rax; xorq (%rsp), %rax\n"
	"orq %rbx, %rax; orq %rbp, %rax; orq %r12, %rax; orq %r13, %rax; orq %r14, %rax; "
	"orq %r15, %rax\n"
	"addq $8, %rsp; popq %r15; popq %r14; popq %r13; popq %r12; popq %rbp; popq %rbx; retq\n"
#else
	"stp x29, x30, [sp, #-112]!\n stp x19, x20, [sp, #16]\n stp x21, x22, [sp, #32]\n"
	"stp x23, x24, [sp, #48]\n"
	"stp x25, x26, [sp, #64]\n stp x27, x28, [sp, #80]\n mov x9, sp\n str x9, [sp, #96]\n"
	"mov x16, x0\n mov x0, x1\n mov x1, x2\n mov x2, x3\n mov x3, x4\n mov x4, x5\n"
	"mov x19, #119\n mov x20, #120\n mov x21, #121\n mov x22, #122\n mov x23, #123\n"
	"mov x24, #124\n"
	"mov x25, #125\n mov x26, #126\n mov x27, #127\n mov x28, #128\n mov x29, #129\n"
	"blr x16\n"
	"sub x19, x19, #119\n sub x20, x20, #120\n sub x21, x21, #121\n sub x22, x22, #122\n"
	"sub x23, x23, #123\n sub x24, x24, #124\n"
	"sub x25, x25, #125\n sub x26, x26, #126\n sub x27, x27, #127\n sub x28, x28, #128\n"
	"sub x29, x29, #129\n"
	"mov x9, sp\n ldr x0, [sp, #96]\n eor x0, x0, x9\n"
	"orr x0, x0, x19\n orr x0, x0, x20\n orr x0, x0, x21\n orr x0, x0, x22\n orr x0, x0, x23\n"
	"orr x0, x0, x24\n"
	"orr x0, x0, x25\n orr x0, x0, x26\n orr x0, x0, x27\n orr x0, x0, x28\n orr x0, x0, x29\n"
	"ldp x27, x28, [sp, #80]\n ldp x25, x26, [sp, #64]\n ldp x23, x24, [sp, #48]\n"
	"ldp x21, x22, [sp, #32]\n ldp x19, x20, [sp, #16]\n ldp x29, x30, [sp], #112\n ret\n"
#endif
);
`

// TestLoopsKeepRegisters calls the loops from C.
func TestLoopsKeepRegisters(t *testing.T) {
	l, err := Open(require.Library(t, keeper))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var kept func(loop, f uintptr, out *float64, n int, x, y *float64) int
	if err := l.Func("kept", &kept); err != nil {
		t.Fatal(err)
	}
	half, err := l.Addr("half")
	if err != nil {
		t.Fatal(err)
	}
	minus, err := l.Addr("minus")
	if err != nil {
		t.Fatal(err)
	}
	x, y, out := []float64{1, 2, 3}, []float64{10, 20, 30}, make([]float64, 3)
	if changed := kept(map1Float64Addr(), half, &out[0], 3, &x[0], nil); changed != 0 ||
		out[2] != 1.5 {
		t.Errorf("one argument: registers differ by %#x, results %v", changed, out)
	}
	if changed := kept(map2Float64Addr(), minus, &out[0], 3, &x[0], &y[0]); changed != 0 ||
		out[2] != -27 {
		t.Errorf("two arguments: registers differ by %#x, results %v", changed, out)
	}
	for _, loop := range []uintptr{map1Float32Addr(), map2Float32Addr()} {
		if changed := kept(loop, half, &out[0], 0, &x[0], &y[0]); changed != 0 {
			t.Errorf("none of float32: registers differ by %#x", changed)
		}
	}
}
