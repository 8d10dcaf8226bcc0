// Package layering tests which package of this module may import which, and
// which packages may import a module from outside. The rules are in rules.txt
// and outside.txt, in the syntax of the Go distribution's
// go/build/deps_test.go.
package layering
