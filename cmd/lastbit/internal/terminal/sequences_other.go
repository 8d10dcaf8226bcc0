//go:build !windows

package terminal

import "os"

// enableSequences reports that a terminal obeys ANSI sequences.
func enableSequences(*os.File) bool { return true }
