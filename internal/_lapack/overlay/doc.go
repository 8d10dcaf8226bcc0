// Package gonum holds the routines of gonum's LAPACK that are changed by hand
// in package blas/lapack, as whole files. The generator, which is the folder
// above, takes them instead of gonum's and applies its rules to both. So a file
// here differs from gonum's only where the routine does:
//
//	diff $(go list -f {{.Dir}} gonum.org/v1/gonum/lapack/gonum)/dgetri.go dgetri.go
//
// To change a routine, edit its file here, or copy it from gonum, and go
// generate ./blas/lapack. What takes more than a few lines is a function of its
// own in a file of blas/lapack that is written by hand, and is called from
// here.
//
// The comment of a function that differs has a paragraph for each reason:
//
//	Overlay (faster): The sign does not wait for the root.
//
// The words in brackets are one of these:
//
//   - faster: it takes less time, and has the bits of gonum's algorithm on the
//     same BLAS.
//   - rounds otherwise: its bits are others.
//   - faster, rounds otherwise: its bits are others because another algorithm
//     takes less time.
//   - mends gonum: it has no fault that gonum has.
//
// The lists of overlays in the comments of blas/lapack and of the generator are
// made of these paragraphs.
//
// File rest.go declares what the others use, without bodies that work, so that
// compilers and editors find every name. Nothing imports this package. Its
// files are covered by gonum's license, which is in the folder of blas/lapack.
package gonum
