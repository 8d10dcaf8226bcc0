// Package record is compiled into test programs and notes the calls of
// functions: a hash of the arguments and one of the results.
//
//	var hypot = record.New(0x1f3a)
//	…
//	c := hypot.Begin(x, y)
//	z := Hypot(x, y)
//	c.End([]any{z}, nil)
//
// It uses no floating-point arithmetic. All NaN have one hash, and a function
// or a channel has none. Pointers are followed a few steps. Of a long argument,
// some elements are taken; a result is taken whole.
//
// The environment chooses what happens: see [Variable], [OnlyVariable] and
// [ShowVariable]. Without them nothing is noted.
package record
