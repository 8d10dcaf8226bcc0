//go:build !unix

package clib

// plainDeaths has nothing to do where no library can be loaded.
func plainDeaths() {}
