//go:build unix && !linux

package process

import "golang.org/x/sys/unix"

// duplicate makes descriptor to a copy of from.
func duplicate(from, to int) error { return unix.Dup2(from, to) }
