// Package trunc converts floating-point numbers to integers with the same
// result on every platform.
//
// The language leaves open what a conversion gives for a NaN, an infinity or a
// number that the integer type lacks. Processors differ: int64(1e300) is the
// smallest int64 on amd64 and the largest on arm64.
//
//	n = trunc.Int64(x) // n = int64(x) on amd64, everywhere
//
// # Promise
//
// A number whose integer part the type has is truncated towards zero, as the
// language says. Any other gives what Go 1.26 gives on amd64:
//
//	Int64, Int    -2^63, also for NaN
//	Int32         -2^31, also for NaN
//	Uint64, Uint  -2^63 as an unsigned number from 2^64 and for NaN;
//	              the number modulo 2^64 from -2^63 to 0, 2^63 below
//	Int8, Int16, Uint8, Uint16   the last bits of Int32
//	Uint32        the last bits of Int64
//
// So a program on amd64 keeps its results. Where int has 32 bits, Int gives the
// last bits of Int64, and Uint the last bits of Uint64.
//
// # Cost
//
// Two comparisons with each conversion, which are inlined: below a nanosecond.
package trunc
