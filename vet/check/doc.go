// Package check runs the analyzers of package vet on packages, asks the
// compiler for fused multiplications, and applies fixes.
//
// Packages are read from source and their dependencies from the go command's
// build cache. Run with targets also compiles the packages for each of them:
// the compiler's own list then replaces the analyzer fma.
package check
