// Package libraries holds the tests that reveal the libraries of this machine,
// and compare what was found with their own results.
package libraries
