package wire

import (
	"io"
	"os"
)

// roleVariable names the environment variable by which an executable that has
// started itself knows what for.
const roleVariable = "LASTBIT_WORKER"

// Self returns the program that is this executable once more, in a role: main,
// or TestMain, asks Role before anything else and then calls Serve. Where the
// executable's path cannot be told the error is that of os.Executable.
func Self(role string) (Program, error) {
	path, err := os.Executable()
	if err != nil {
		return Program{}, err
	}
	// A crash of the code under test is told in one line, not in pages.
	return Program{Args: []string{path}, Env: append(os.Environ(), roleVariable+"="+role, "GOTRACEBACK=none")}, nil
}

// Role returns the role in which Self has started this process, "" for none.
// It takes the role away: processes that this one starts do not have it.
func Role() string {
	role := os.Getenv(roleVariable)
	os.Unsetenv(roleVariable)
	return role
}

// Stdio returns the reader and the writer of the protocol, for Serve, and takes
// the process's standard input and output away from everything else: a library
// that prints then prints to standard error, and one that reads finds nothing.
// Where descriptors cannot be moved (not a Unix) they are just os.Stdin and
// os.Stdout.
func Stdio() (io.Reader, io.Writer, error) { return stdio() }
