package perturb

import (
	"cmp"
	"reflect"
	"unsafe"
)

// Number is the constraint of operands that may be floating-point numbers, or
// others.
type Number interface{ Integer | Float | Complex }

// Addable has strings beside numbers: + joins them.
type Addable interface{ Number | ~string }

// AddAny returns a + b, perturbed if T is a floating-point type.
func AddAny[T Addable](a, b T, site uint32) T {
	if active {
		return either(a, b, a+b, site, Add[float32], Add[float64], AddComplex[complex64],
			AddComplex[complex128])
	}
	return a + b
}

// SubAny returns a - b, perturbed if T is a floating-point type.
func SubAny[T Number](a, b T, site uint32) T {
	if active {
		return either(a, b, a-b, site, Sub[float32], Sub[float64], SubComplex[complex64],
			SubComplex[complex128])
	}
	return a - b
}

// MulAny returns a·b, perturbed if T is a floating-point type.
func MulAny[T Number](a, b T, site uint32) T {
	if active {
		//lastbit:ignore complexmul the program's own operation
		return either(a, b, a*b, site, Mul[float32], Mul[float64], MulComplex[complex64],
			MulComplex[complex128])
	}
	return a * b //lastbit:ignore complexmul the program's own operation
}

// DivAny returns a/b, perturbed if T is a floating-point type.
func DivAny[T Number](a, b T, site uint32) T {
	if active {
		//lastbit:ignore complexmul the program's own operation
		return either(a, b, a/b, site, Div[float32], Div[float64], DivComplex[complex64],
			DivComplex[complex128])
	}
	return a / b //lastbit:ignore complexmul the program's own operation
}

// either returns f(a, b) for the function of the operands' kind, and r for
// operands of another kind.
func either[T any](
	a, b, r T, site uint32,
	f32 func(a, b float32, site uint32) float32, f64 func(a, b float64, site uint32) float64,
	c64 func(a, b complex64, site uint32) complex64,
	c128 func(a, b complex128, site uint32) complex128,
) T {
	switch reflect.TypeFor[T]().Kind() {
	case reflect.Float32:
		return as[T](f32(as[float32](a), as[float32](b), site))
	case reflect.Float64:
		return as[T](f64(as[float64](a), as[float64](b), site))
	case reflect.Complex64:
		return as[T](c64(as[complex64](a), as[complex64](b), site))
	case reflect.Complex128:
		return as[T](c128(as[complex128](a), as[complex128](b), site))
	}
	return r
}

// as returns a value of a type of the same kind.
func as[R, T any](x T) R { return *(*R)(unsafe.Pointer(&x)) }

// LessAny returns a < b.
func LessAny[T cmp.Ordered](a, b T, site uint32) bool {
	if recording {
		return compareAny(a, b, a < b, site)
	}
	return a < b
}

// LessEqualAny returns a <= b.
func LessEqualAny[T cmp.Ordered](a, b T, site uint32) bool {
	if recording {
		return compareAny(a, b, a <= b, site)
	}
	return a <= b
}

// EqualAny returns a == b.
func EqualAny[T comparable](a, b T, site uint32) bool {
	if recording {
		return compareAny(a, b, a == b, site)
	}
	return a == b
}

// GreaterAny returns a > b.
func GreaterAny[T cmp.Ordered](a, b T, site uint32) bool {
	if recording {
		return compareAny(a, b, a > b, site)
	}
	return a > b
}

// GreaterEqualAny returns a >= b.
func GreaterEqualAny[T cmp.Ordered](a, b T, site uint32) bool {
	if recording {
		return compareAny(a, b, a >= b, site)
	}
	return a >= b
}

// NotEqualAny returns a != b.
func NotEqualAny[T comparable](a, b T, site uint32) bool {
	if recording {
		return compareAny(a, b, a != b, site)
	}
	return a != b
}

// compareAny records a comparison of floating-point numbers, and returns the
// outcome of any.
func compareAny[T any](a, b T, holds bool, site uint32) bool {
	switch reflect.TypeFor[T]().Kind() {
	case reflect.Float32:
		return compare(float64(as[float32](a)), float64(as[float32](b)), holds, site)
	case reflect.Float64:
		return compare(as[float64](a), as[float64](b), holds, site)
	}
	return holds
}
