// Package release builds what is published of a version: an archive for each
// platform, wheels, npm packages, a Homebrew formula, a list of the modules in
// the programs, and the checksums of all.
//
//	go run ./internal/release/create -o dist
//
// The files depend on the sources, on Go and on the C compilers only: names are
// sorted, every file has the same time and owner, and programs know no folder.
package release
