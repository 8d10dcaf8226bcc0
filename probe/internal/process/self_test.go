package process

import (
	"os"
	"testing"
)

func TestTakeRole(t *testing.T) {
	t.Setenv(roleVariable, "mine")
	if TakeRole("another") || os.Getenv(roleVariable) != "mine" {
		t.Error("another role was taken")
	}
	if !TakeRole("mine") || TakeRole("mine") || os.Getenv(roleVariable) != "" {
		t.Error("a role is not taken exactly once")
	}
}
