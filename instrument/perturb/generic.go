package perturb

import "reflect"

// Operations of type parameters that may be floating-point numbers or others.
// The operands are evaluated twice, so that they must have no side effects.

// EitherAdd returns r = a + b, perturbed if it is a floating-point number.
func EitherAdd[T any](a, b, r T, site uint32) T { return either(a, b, r, site, add) }

// EitherSub returns r = a - b, perturbed if it is a floating-point number.
func EitherSub[T any](a, b, r T, site uint32) T {
	return either(a, b, r, site, func(a, b, r float64, site uint32, single bool) float64 {
		return add(a, -b, r, site, single)
	})
}

// EitherMul returns r = a·b, perturbed if it is a floating-point number.
func EitherMul[T any](a, b, r T, site uint32) T { return either(a, b, r, site, mul) }

// EitherDiv returns r = a/b, perturbed if it is a floating-point number.
func EitherDiv[T any](a, b, r T, site uint32) T { return either(a, b, r, site, div) }

type operation func(a, b, r float64, site uint32, single bool) float64

func either[T any](a, b, r T, site uint32, op operation) T {
	if !active {
		return r
	}
	v := reflect.ValueOf(&r).Elem()
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		v.SetFloat(op(reflect.ValueOf(a).Float(), reflect.ValueOf(b).Float(), v.Float(), site,
			v.Kind() == reflect.Float32))
	}
	return r
}
