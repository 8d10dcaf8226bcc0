package wire

import "os"

// TakeRole reports whether Self has started this process in the role, and if so
// takes the role away, as Role does; another role is left for whoever knows it.
func TakeRole(role string) bool {
	if os.Getenv(roleVariable) != role {
		return false
	}
	os.Unsetenv(roleVariable)
	return true
}
