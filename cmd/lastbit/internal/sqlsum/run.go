package sqlsum

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/probe"
)

// Run runs a query in a PostgreSQL server by psql, and returns its rows as CSV.
// psql knows every way to reach and to trust a server, and .pgpass; a driver
// linked to the command would bring six modules for the same. A password in the
// address travels in the environment, where other users do not see it.
func Run(ctx context.Context, address, query string) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, sums.BadUsage("--run", "it is not the address of a PostgreSQL server",
			"write postgres://user@host/database; for others, give the rows to --finish")
	}
	cmd := exec.CommandContext(ctx, "psql")
	cmd.Env = os.Environ()
	if password, ok := u.User.Password(); ok {
		u.User = url.User(u.User.Username())
		cmd.Env = append(cmd.Env, "PGPASSWORD="+password)
	}
	cmd.Args = append(cmd.Args, "--no-psqlrc", "--quiet", "--csv", "--no-password",
		"--set=ON_ERROR_STOP=1", "--dbname="+u.String(), "--file=-")
	cmd.Stdin = strings.NewReader(query)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, &probe.Fault{ID: "engine-failed", Thing: "psql", Cause: "it is not in PATH",
			Cure: "install PostgreSQL's client, or run the query yourself and give its rows " +
				"to --finish"}
	case err != nil:
		return nil, &probe.Fault{ID: "engine-failed", Thing: "psql",
			Cause: "PostgreSQL did not run the query",
			Cure:  "see its message", Err: message(stderr.String(), err)}
	}
	return stdout.Bytes(), nil
}

// message returns what psql wrote about an error, in one line.
func message(stderr string, err error) error {
	lines := strings.Fields(strings.ReplaceAll(stderr, "psql:<stdin>:", " "))
	if len(lines) == 0 {
		return err
	}
	const most = 400
	return fmt.Errorf("%s", oneLine(fmt.Sprintf("%.*s", most, strings.Join(lines, " "))))
}
