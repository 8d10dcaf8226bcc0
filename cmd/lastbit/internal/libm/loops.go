package libm

// A Loop sets out[i] to a function of x[i], or of x[i] and y[i]. The second
// results of a function with two follow the first results of all arguments.
type Loop[T Float] func(out, x, y []T) error

// loop1 calls a function of one argument; a function that is nil has no loop.
func loop1[T Float](f func(T) T) Loop[T] {
	if f == nil {
		return nil
	}
	return func(out, x, _ []T) error {
		for i, v := range x {
			out[i] = f(v)
		}
		return nil
	}
}

// loop2 is loop1 for a function of two arguments.
func loop2[T Float](f func(x, y T) T) Loop[T] {
	return func(out, x, y []T) error {
		for i, v := range x {
			out[i] = f(v, y[i])
		}
		return nil
	}
}

// loopWhole is loop2 for a function of a number and an integer.
func loopWhole[T Float](f func(x T, n int) T) Loop[T] {
	return func(out, x, y []T) error {
		for i, v := range x {
			out[i] = f(v, int(y[i]))
		}
		return nil
	}
}

// loopBoth is loop1 for a function with two results.
func loopBoth[T Float](f func(T) (T, T)) Loop[T] {
	return func(out, x, _ []T) error {
		for i, v := range x {
			out[i], out[len(x)+i] = f(v)
		}
		return nil
	}
}

// rounded1 calls a function of float64 for float32, as a program in Go does.
func rounded1(f func(float64) float64) Loop[float32] {
	if f == nil {
		return nil
	}
	return func(out, x, _ []float32) error {
		for i, v := range x {
			out[i] = float32(f(float64(v)))
		}
		return nil
	}
}

// rounded2 is rounded1 for a function of two arguments.
func rounded2(f func(x, y float64) float64) Loop[float32] {
	return func(out, x, y []float32) error {
		for i, v := range x {
			out[i] = float32(f(float64(v), float64(y[i])))
		}
		return nil
	}
}

// slice1 calls a slice function; a function that is nil has no loop.
func slice1[T Float](f func(dst, x []T)) Loop[T] {
	if f == nil {
		return nil
	}
	return func(out, x, _ []T) error {
		f(out, x)
		return nil
	}
}

// slice2 is slice1 for a function of two arguments.
func slice2[T Float](f func(dst, x, y []T)) Loop[T] {
	if f == nil {
		return nil
	}
	return func(out, x, y []T) error {
		f(out, x, y)
		return nil
	}
}

// sliceBoth calls a slice function with two results.
func sliceBoth[T Float](f func(first, second, x []T)) Loop[T] {
	return func(out, x, _ []T) error {
		f(out[:len(x)], out[len(x):], x)
		return nil
	}
}
