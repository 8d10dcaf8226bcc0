package script

import "testing"

func TestMain(m *testing.M) { Main(m) }

// TestScripts runs the scripts of all topics but modules.
func TestScripts(t *testing.T) { Run(t, module) }
