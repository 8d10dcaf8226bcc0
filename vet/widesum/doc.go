// Package widesum finds float32 sums that may be kept in a wider format.
//
// The language lets a compiler keep a float32 variable with more precision;
// only an explicit conversion rounds. Go's own compiler rounds every float32
// operation since Go 1.16. Older releases with GO386=387, and gccgo on 386,
// keep a sum in the registers of the 387, which have 64 bits of precision:
//
//	var s float32
//	for _, v := range x {
//		s += v              // rounded once, after the loop, on a 387
//		s = float32(s + v)  // rounded every time
//	}
//
// The conversion costs nothing elsewhere. Sums of float64 are not reported: Go
// set the 387 to their precision. Nor is s += s, which is exact, nor a file
// whose version of the language is newer than Go 1.18: gccgo compiles no newer
// one, so far. The module's go line, or a build tag, sets the version.
package widesum
