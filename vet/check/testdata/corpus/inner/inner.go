// Package inner has functions that are inlined elsewhere.
package inner

// Product returns a product.
func Product(x, y float64) float64 { return x * y }

// Sum returns a sum.
func Sum(x, y float64) float64 { return x + y }

// Fused returns a product and a sum.
func Fused(x, y, z float64) float64 { return x*y + z }

// Generic does so for two types.
func Generic[T float32 | float64](x, y, z T) T { return x*y + z }
