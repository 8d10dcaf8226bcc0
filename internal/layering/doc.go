// Package layering holds the order of this module's packages as a test: which
// may import which, and which module from outside may be imported where. The
// rules stand in rules.txt, in the syntax of the Go distribution's own
// go/build/deps_test.go.
package layering
