package bench

import (
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/accel"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/blas"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/digits"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/math"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/reveal"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/stoch"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/sums"
)

// Verbs returns the experiments. A new one is a package and a row here.
func Verbs() []experiment.Verb {
	return []experiment.Verb{
		accel.Verb(), blas.Verb(), digits.Verb(), math.Verb(), reveal.Verb(), stoch.Verb(),
		sums.Verb(),
	}
}
