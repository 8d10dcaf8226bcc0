// Package demo holds the parts that all case studies share: flags with bounds,
// a hash of results, random data, and work that is divided among goroutines.
package demo
