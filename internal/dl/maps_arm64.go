//go:build !purego && !faketime && !static && ((linux && !android) || (darwin && !ios))

package dl

// map1Float64 is a C function: void (f, out, n, x), out[i] = f(x[i]) for i < n.
func map1Float64()

// map1Float64Addr returns the address of map1Float64.
func map1Float64Addr() uintptr

// map1Float32 is a C function: void (f, out, n, x), out[i] = f(x[i]) for i < n.
func map1Float32()

// map1Float32Addr returns the address of map1Float32.
func map1Float32Addr() uintptr

// map2Float64 is a C function: void (f, out, n, x, y), out[i] = f(x[i], y[i])
// for i < n.
func map2Float64()

// map2Float64Addr returns the address of map2Float64.
func map2Float64Addr() uintptr

// map2Float32 is a C function: void (f, out, n, x, y), out[i] = f(x[i], y[i])
// for i < n.
func map2Float32()

// map2Float32Addr returns the address of map2Float32.
func map2Float32Addr() uintptr
