//go:build purego || !amd64

package kernel

// Hide returns x.
func Hide[T float32 | float64](x []T) []T { return x }
