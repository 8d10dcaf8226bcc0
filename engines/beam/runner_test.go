package exactbeam

import (
	"context"
	"flag"
	"os"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"
)

// runner is a runner in this process. Others take minutes to compile: see
// prism_test.go.
var runner = "direct"

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// run runs a pipeline.
func run(p *beam.Pipeline) error {
	_, err := beam.Run(context.Background(), runner, p)
	return err
}
