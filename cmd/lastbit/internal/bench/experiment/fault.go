package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lastbit/lastbit/probe"
)

// CheckBudget refuses a budget without time.
func CheckBudget(budget time.Duration) error {
	if budget > 0 {
		return nil
	}
	return &probe.Fault{
		ID: "bad-usage", Thing: fmt.Sprintf("--budget %v", budget),
		Cause: "nothing can be measured in no time", Cure: "leave it out for the default",
	}
}

// Failed returns the fault of an experiment, or of a part of it, that ended
// with an error. A canceled context stays one.
func Failed(name string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &probe.Fault{ID: "bench-failed", Thing: name, Cause: err.Error(),
		Cure: "leave it out, with --only"}
}
