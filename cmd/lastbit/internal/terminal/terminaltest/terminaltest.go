//go:build unix

// Package terminaltest opens terminals for tests.
package terminaltest

import (
	"errors"
	"os"
	"testing"

	"github.com/creack/pty"

	"github.com/lastbit/lastbit/internal/require"
)

// Open returns both sides of a terminal: the one a program writes to, and the
// one that gets the text for the screen. It ends the test where there are no
// pseudo-terminals. The end of the test closes both.
func Open(t testing.TB, columns int) (tty, screen *os.File) {
	t.Helper()
	screen, tty, err := pty.Open()
	var refused *os.PathError // of /dev/ptmx, in containers
	if errors.Is(err, pty.ErrUnsupported) || errors.As(err, &refused) {
		require.Missing(t, "pseudo-terminals")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = tty.Close(), screen.Close() })
	Resize(t, tty, columns)
	return tty, screen
}

// Resize gives a terminal 24 rows of the given number of columns.
func Resize(t testing.TB, tty *os.File, columns int) {
	t.Helper()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: uint16(columns)}); err != nil {
		t.Fatal(err)
	}
}
