// Package wheel builds wheels of the Python package: the command, for every
// platform, and the library of exact sums where a C compiler for the platform
// is at hand.
//
//	go run ./internal/wheel/create -o dist
//
// A wheel depends on the sources and the compilers only: names are sorted, and
// every file has the same time.
//
// The form is the binary distribution format of the Python packaging
// specifications; PEP 600 defines the tags of Linux with glibc.
package wheel
