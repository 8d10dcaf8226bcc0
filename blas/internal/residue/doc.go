// Package residue multiplies matrices of float64 nearly, with a bound of the
// error of each element, by products of bytes.
//
// # Method
//
// The method is from Ozaki2025. Each row of the left factor and each column of
// the right one is multiplied by a power of two and rounded to integers. The
// product C of the matrices of integers is known from its residues modulo
// coprime p of 8 bits, whose product P exceeds twice each element's magnitude,
// by the Chinese remainder theorem:
//
//	C ≡ Σ c[p]·P/p  modulo P,    c[p] ≡ (u·A)·B modulo p, u·P/p ≡ 1 modulo p
//
// A product of residues modulo p is one of matrices of bytes, added in 32 bits.
// With VNNI a processor adds eight times as many of them as products of
// float64. Numbers of 53 bits take 15 moduli at 1024 products an element, so
// twice the time of one product of float64, and half as long again for the
// residues of the factors and the joined integers.
//
// # Error
//
// By the inequality of Cauchy and Schwarz an element of C is at most the
// product of the norms of its row and its column, which scaling limits to
// 0.4·P. Let a be a row, with an error of at most e in each rounded element,
// and b a column with f. The error of the product is at most
//
//	e·Σ|b[p]| + f·Σ(|a[p]| + e)
//
// and zero for rows and columns that are integers after scaling. C is joined
// exactly from up to 16 moduli, and else with the error of table.joined.
//
// The number of moduli follows from a sample of rows, columns and elements: so
// many that the sample is exact, or that most of its elements can be rounded.
//
// References:
//   - [Ozaki2025] Katsuhisa Ozaki, Yuki Uchino and Toshiyuki Imamura. Ozaki
//     Scheme II: A GEMM-Oriented Emulation of Floating-Point Matrix
//     Multiplication Using an Integer Modular Technique. arXiv:2504.08009,
//     2025.
package residue
