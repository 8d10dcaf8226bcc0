// Package flow follows products to the sums that they meet, as the compiler's
// optimizer does: through variables, parts of local structures, stores, and the
// functions that the compiler inlines.
//
// A small function is summarized: what it returns, and the sums in it that a
// parameter meets. A call replaces the parameters by the values of the
// arguments. The summaries of other packages come as facts.
//
// The package also bounds the digits of numbers. A product whose digits all fit
// the format is exact, and a fused sum of it has the same bits.
package flow
