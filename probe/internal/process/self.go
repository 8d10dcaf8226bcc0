// Package process starts programs for the drivers of package probe, and starts
// this program again to work for one.
//
// Foreign code runs in processes that end with this one. Each leads a process
// group, so that it is killed with all its children.
package process

import "os"

// roleVariable names the environment variable that holds the role of an
// executable that has started itself.
const roleVariable = "LASTBIT_WORKER"

// Self returns the arguments and the environment that start this executable
// again in a role: main, or TestMain, calls TakeRole before anything else. Its
// error comes from os.Executable.
func Self(role string) (args, env []string, err error) {
	path, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	// A crash of the code under test prints one line, not pages.
	return []string{path}, append(os.Environ(), roleVariable+"="+role, "GOTRACEBACK=none"), nil
}

// TakeRole reports whether Self has started this process in the role. If so it
// clears the role, so that processes started by this one do not have it. It
// keeps any other role.
func TakeRole(role string) bool {
	if os.Getenv(roleVariable) != role {
		return false
	}
	os.Unsetenv(roleVariable)
	return true
}
