package stoch

import "github.com/lastbit/lastbit/stoch"

// Mandelbrot's iteration z = z² + c, for points that never leave the circle of
// radius 2.
const (
	mandelPoints     = 512
	mandelIterations = 50
)

// mandelbrot returns the benchmark of Mandelbrot's set. The program for slices
// has no test whether a point left the circle.
func mandelbrot[T stoch.Float]() programs {
	re, im := make([]T, mandelPoints), make([]T, mandelPoints)
	for i := range re {
		re[i], im[i] = T(i%32)/80-0.3, T(i/32)/40+0.01
	}
	counts := make([]int, mandelPoints)
	c := programs{unit: "iteration", units: mandelPoints * mandelIterations}
	c.plain = func() {
		for i := range re {
			counts[i] = plainMandel(re[i], im[i])
		}
	}
	c.scalar = both(func(a *stoch.Arithmetic[T]) {
		switch a := any(a).(type) {
		case *stoch.Arithmetic[float64]:
			for i := range re {
				counts[i] = scalarMandel64(a, stoch.Of(float64(re[i])), stoch.Of(float64(im[i])))
			}
		case *stoch.Arithmetic[float32]:
			for i := range re {
				counts[i] = scalarMandel32(a, stoch.Of(float32(re[i])), stoch.Of(float32(im[i])))
			}
		}
	})
	sre, sim := stoch.SliceOf(re), stoch.SliceOf(im)
	var s [6]stoch.Slice[T]
	for i := range s {
		s[i] = stoch.MakeSlice[T](mandelPoints)
	}
	c.slice = both(func(a *stoch.Arithmetic[T]) {
		x, y, xx, yy, xy, twice := s[0], s[1], s[2], s[3], s[4], s[5]
		x.Copy(sre)
		y.Copy(sim)
		for range mandelIterations {
			a.MulSlices(xx, x, x)
			a.MulSlices(yy, y, y)
			a.AddSlices(twice, x, x)
			a.MulSlices(xy, twice, y)
			a.SubSlices(xx, xx, yy)
			a.AddSlices(x, xx, sre)
			a.AddSlices(y, xy, sim)
		}
	})
	return c
}

func plainMandel[T stoch.Float](re, im T) int {
	x, y := re, im
	for i := range mandelIterations {
		xx, yy, twice := T(x*x), T(y*y), x+x
		if xx+yy > 4 {
			return i
		}
		x, y = xx-yy+re, T(twice*y)+im
	}
	return mandelIterations
}

// scalarMandel64 and scalarMandel32 are written for their formats, as most
// programs are: calls in generic code take a dictionary with them.
func scalarMandel64(a *stoch.Arithmetic[float64], re, im stoch.Float64) int {
	x, y, four := re, im, stoch.Of[float64](4)
	for i := range mandelIterations {
		xx, yy, twice := a.Mul(x, x), a.Mul(y, y), a.Add(x, x)
		if a.Less(four, a.Add(xx, yy)) {
			return i
		}
		x, y = a.Add(a.Sub(xx, yy), re), a.Add(a.Mul(twice, y), im)
	}
	return mandelIterations
}

func scalarMandel32(a *stoch.Arithmetic[float32], re, im stoch.Float32) int {
	x, y, four := re, im, stoch.Of[float32](4)
	for i := range mandelIterations {
		xx, yy, twice := a.Mul(x, x), a.Mul(y, y), a.Add(x, x)
		if a.Less(four, a.Add(xx, yy)) {
			return i
		}
		x, y = a.Add(a.Sub(xx, yy), re), a.Add(a.Mul(twice, y), im)
	}
	return mandelIterations
}

// The stencil of ispc's examples: a step of a wave in three dimensions, with
// the neighbours up to three points away on each axis.
const (
	stencilWidth = 70 // of a row
	stencilRows  = 12 // in the other two dimensions
	stencilReach = 3
	inside       = stencilWidth - 2*stencilReach
	insideRows   = stencilRows - 2*stencilReach
)

// stencilWeights are the weights of the point and of its neighbours.
var stencilWeights = [stencilReach + 1]float64{0.5, -0.25, 0.125, -0.0625}

// stencil returns the benchmark of the stencil.
func stencil[T stoch.Float]() programs {
	const n = stencilWidth * stencilRows * stencilRows
	before, now, next := make([]T, n), make([]T, n), make([]T, n)
	sBefore, sNow, sNext := make([]stoch.Number[T], n), make([]stoch.Number[T], n),
		make([]stoch.Number[T], n)
	for i := range n {
		before[i], now[i] = T(i%17)/17+0.1, T(i%23)/23+0.1
		sBefore[i], sNow[i] = stoch.Of(before[i]), stoch.Of(now[i])
	}
	vBefore, vNow, vNext := stoch.SliceOf(before), stoch.SliceOf(now), stoch.MakeSlice[T](n)
	c := programs{unit: "point", units: inside * insideRows * insideRows}
	c.plain = func() { plainStencil(next, now, before) }
	c.scalar = both(func(a *stoch.Arithmetic[T]) { scalarStencil(a, sNext, sNow, sBefore) })
	sum := stoch.MakeSlice[T](inside)
	c.slice = both(func(a *stoch.Arithmetic[T]) { sliceStencil(a, vNext, vNow, vBefore, sum) })
	return c
}

// eachRow calls f with the index of the first inner point of every inner row.
func eachRow(f func(at int)) {
	for z := stencilReach; z < stencilRows-stencilReach; z++ {
		for y := stencilReach; y < stencilRows-stencilReach; y++ {
			f((z*stencilRows+y)*stencilWidth + stencilReach)
		}
	}
}

// strides are the distances of neighbours on each axis.
var strides = [3]int{1, stencilWidth, stencilWidth * stencilRows}

func plainStencil[T stoch.Float](next, now, before []T) {
	var w [stencilReach + 1]T
	for i := range w {
		w[i] = T(stencilWeights[i])
	}
	eachRow(func(at int) {
		for p := at; p < at+inside; p++ {
			sum := T(w[0] * now[p])
			for r := 1; r <= stencilReach; r++ {
				near := now[p-r] + now[p+r]
				near += now[p-r*strides[1]] + now[p+r*strides[1]]
				near += now[p-r*strides[2]] + now[p+r*strides[2]]
				sum += T(w[r] * near)
			}
			next[p] = (now[p] + now[p]) - before[p] + sum
		}
	})
}

func scalarStencil[T stoch.Float](a *stoch.Arithmetic[T], next, now, before []stoch.Number[T]) {
	var w [stencilReach + 1]stoch.Number[T]
	for i := range w {
		w[i] = stoch.Of(T(stencilWeights[i]))
	}
	eachRow(func(at int) {
		for p := at; p < at+inside; p++ {
			sum := a.Mul(w[0], now[p])
			for r := 1; r <= stencilReach; r++ {
				near := a.Add(now[p-r], now[p+r])
				near = a.Add(near, a.Add(now[p-r*strides[1]], now[p+r*strides[1]]))
				near = a.Add(near, a.Add(now[p-r*strides[2]], now[p+r*strides[2]]))
				sum = a.Add(sum, a.Mul(w[r], near))
			}
			next[p] = a.Add(a.Sub(a.Add(now[p], now[p]), before[p]), sum)
		}
	})
}

func sliceStencil[T stoch.Float](a *stoch.Arithmetic[T], next, now, before,
	near stoch.Slice[T]) {
	eachRow(func(at int) {
		row := func(s stoch.Slice[T], by int) stoch.Slice[T] {
			return s.Part(at+by, at+by+inside)
		}
		to := row(next, 0)
		a.AddSlices(to, row(now, 0), row(now, 0))
		a.SubSlices(to, to, row(before, 0))
		a.Axpy(stoch.Of(T(stencilWeights[0])), row(now, 0), to)
		for r := 1; r <= stencilReach; r++ {
			a.AddSlices(near, row(now, -r), row(now, r))
			for _, s := range strides[1:] {
				a.AddSlices(near, near, row(now, -r*s))
				a.AddSlices(near, near, row(now, r*s))
			}
			a.Axpy(stoch.Of(T(stencilWeights[r])), near, to)
		}
	})
}
