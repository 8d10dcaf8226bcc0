package dl

//go:generate sh -c "cd ../_asm && go run ./maps -out ../dl/maps_amd64.s -stubs ../dl/maps_amd64.go -pkg dl"

// Map returns a function that sets out[i] to f(x[i]) for every x[i], where f is
// the library's double f(double) or float f(float), by T. out is as long as x,
// or longer; the two may be the same. The error is a *MissingError, or the
// reason why C cannot be called.
//
// If Loops is true, the loop runs outside of Go, and a call of f costs as much
// as in C. Otherwise it costs as much as a call through Func.
func Map[T float32 | float64](l *Library, symbol string) (func(out, x []T), error) {
	if Loops {
		f, err := l.Addr(symbol)
		return func(out, x []T) { loop(f, out, x, nil) }, err
	}
	var f func(T) T
	err := l.Func(symbol, &f)
	return func(out, x []T) {
		for i, v := range x {
			out[i] = f(v)
		}
	}, err
}

// Map2 returns a function that sets out[i] to f(x[i], y[i]), where f has two
// arguments of the same type. out and y are as long as x, or longer. See Map.
func Map2[T float32 | float64](l *Library, symbol string) (func(out, x, y []T), error) {
	if Loops {
		f, err := l.Addr(symbol)
		return func(out, x, y []T) { loop(f, out, x, y[:len(x)]) }, err
	}
	var f func(x, y T) T
	err := l.Func(symbol, &f)
	return func(out, x, y []T) {
		for i, v := range x {
			out[i] = f(v, y[i])
		}
	}, err
}
