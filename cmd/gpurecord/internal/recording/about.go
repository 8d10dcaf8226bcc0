package recording

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// about returns what a machine's own tools report about it. A tool that is
// absent, or fails, leaves its error.
func about(ctx context.Context, device string, steps []Step) map[string]string {
	tools := map[string][]string{"system": {"uname", "-srm"}}
	if device == "cuda" {
		tools["gpu"] = []string{"nvidia-smi", "--format=csv,noheader",
			"--query-gpu=name,driver_version,memory.total,clocks.max.sm,compute_cap"}
		tools["nvcc"] = []string{"nvcc", "--version"}
	}
	if device == "cuda" || callsPython(steps) {
		tools["torch"] = []string{python(), "-c", "import torch;" +
			"print(torch.__version__, torch.version.cuda, torch.backends.cudnn.version())"}
	}
	seen := map[string]string{}
	for name, args := range tools {
		ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
		out, err := exec.CommandContext(ctx, args[0], args[1:]...).Output()
		cancel()
		if seen[name] = strings.TrimSpace(string(out)); err != nil {
			seen[name] = err.Error()
		}
	}
	return seen
}

// callsPython reports whether one of the steps calls Python.
func callsPython(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool {
		return strings.HasPrefix(s.Addresses[0], "py:")
	})
}

// python returns the interpreter to ask.
func python() string {
	if p := os.Getenv("LASTBIT_PYTHON"); p != "" {
		return p
	}
	return "python3"
}
