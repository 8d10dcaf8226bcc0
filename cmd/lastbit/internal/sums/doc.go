// Package sums implements lastbit sum and lastbit merge: it adds columns of
// files, in groups if there are keys, with the promise of an Algorithm, and
// writes, reads and merges accumulator files.
//
// A Task reads files and returns a Partial: for every column a series, for
// every key of a series a total. A Partial becomes Lines, the results as text
// and JSON show them, or an accumulator file, which is a Partial in bytes that
// depend on the rows alone.
//
//	Task.Run → Partial ⇄ accumulator file
//	             ↓
//	           Lines → text, JSON
//
// An Operation is a function of one or two sums. Besides the exact sums, each
// group holds the result of a textbook's loop. Under MPI, each rank runs the
// Task over its own part of the files, and one reduction merges the Partials.
package sums
