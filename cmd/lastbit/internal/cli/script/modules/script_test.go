package modules

import (
	"testing"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/cli/script"
)

func TestMain(m *testing.M) { script.Main(m) }

func TestScripts(t *testing.T) { script.Run(t, "../../../../../..") }
