package elsewhere

type Vector struct{ X, Y float64 }

func (v Vector) Scale(f float64) Vector { return Vector{v.X * f, v.Y * f} }
func (v Vector) Add(w Vector) Vector    { return Vector{v.X + w.X, v.Y + w.Y} }

func Sum(x, y float64) float64 { return x + y }

// Sum3 is inlined with Sum in it.
func Sum3(x, y, z float64) float64 { return Sum(Sum(x, y), z) }

func Product(x, y float64) float64 { return x * y }

func Generic[T float32 | float64](x, y T) T { return x + y }

// Long is not inlined.
func Long(x, y float64) float64 {
	for range 10 {
		x = x/3 + y
		y = y/3 - x
		x = x/5 + y
		y = y/5 - x
		x = x/7 + y
		y = y/7 - x
		x = x/9 + y
		y = y/9 - x
	}
	return x + y
}

//go:noinline
func Apart(x, y float64) float64 { return x + y }

func Unsigned(f float64) uint64 { return uint64(f) }
