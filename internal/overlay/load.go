package overlay

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// invocation matches what packages.Load puts before the message of a go command
// that failed.
var invocation = regexp.MustCompile(`(?s)^(.*: )?err: [^\n]*?: stderr: (.+)$`)

// Plain returns an error of packages.Load with the go command's message alone.
func Plain(err error) error {
	if m := invocation.FindStringSubmatch(err.Error()); m != nil {
		return errors.New(strings.TrimSpace(m[2]))
	}
	return err
}

// whyNone returns why the go command lists no package, or nil where it works
// and none matches: packages.Load drops its message where it asks for the types
// that the compiler wrote.
func whyNone(ctx context.Context, config *packages.Config, patterns []string) error {
	args := slices.Concat([]string{"list", "-e", "-export", "-f", "{{.ImportPath}}"},
		config.BuildFlags, []string{"--"}, patterns)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = config.Dir, config.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err == nil {
		return nil
	} else if stderr.Len() == 0 || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	return errors.New(strings.TrimSpace(stderr.String()))
}
