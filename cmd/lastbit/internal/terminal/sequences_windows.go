package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableSequences makes a console obey ANSI sequences, and reports whether it
// does.
func enableSequences(f *os.File) bool {
	var mode uint32
	console := windows.Handle(f.Fd())
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	mode |= windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	return windows.SetConsoleMode(console, mode) == nil
}
