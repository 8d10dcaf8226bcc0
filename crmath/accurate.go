package crmath

// kernel names a function that has an accurate kernel of one argument.
type kernel int

const (
	kernelExp kernel = iota
	kernelExp2
	kernelExp10
	kernelExpm1
	kernelLog
	kernelLog2
	kernelLog10
	kernelLog1p
	kernelSinh
	kernelCosh
	kernelTanh
	kernelAsinh
	kernelAcosh
	kernelAtanh
)

// set sets z to the function of x at precision n. The kernels are called by name, not
// through a table of functions, so that nothing escapes.
func (f kernel) set(z, x *wide, n int) {
	switch f {
	case kernelExp:
		z.setExp(x, n)
	case kernelExp2:
		z.setExp2(x, n)
	case kernelExp10:
		z.setExp10(x, n)
	case kernelExpm1:
		z.setExpm1(x, n)
	case kernelLog:
		z.setLog(x, n)
	case kernelLog2:
		z.setLog2(x, n)
	case kernelLog10:
		z.setLog10(x, n)
	case kernelLog1p:
		z.setLog1p(x, n)
	case kernelSinh:
		z.setSinh(x, n)
	case kernelCosh:
		z.setCosh(x, n)
	case kernelTanh:
		z.setTanh(x, n)
	case kernelAsinh:
		z.setAsinh(x, n)
	case kernelAcosh:
		z.setAcosh(x, n)
	case kernelAtanh:
		z.setAtanh(x, n)
	}
}

// accurate returns the function of x, rounded correctly: x is in the kernel's domain, and
// the result is no midpoint. The first precision decides where the worst cases are known
// (LefevreMuller2001, Sibidanov2022); where one were left out, a longer would.
func (f kernel) accurate(x float64) float64 {
	var z, a wide
	for n := wideFirst; ; n = min(2*n+1, wideLast) {
		a.setFloat64(x, n+1)
		f.set(&z, &a, n)
		if r, ok := z.float64(n); ok || n == wideLast {
			return r
		}
	}
}
