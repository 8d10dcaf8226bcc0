package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/cpu"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/internal/version"
)

// build describes this program and the processor that it runs on.
type build struct {
	Version  string   `json:"version"` // of lastbit
	Go       string   `json:"go"`
	OS       string   `json:"os"`
	Arch     string   `json:"arch"`
	Level    string   `json:"level,omitempty"`    // of the architecture: GOAMD64 and its like
	Features []string `json:"features"`           // of the processor
	Revision string   `json:"revision,omitempty"` // of the sources
	Time     string   `json:"time,omitempty"`     // of the revision
	Modified bool     `json:"modified"`           // whether the sources differ from the revision
}

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and the platform of this build",
		Long: `Version prints the version of lastbit, the Go release and the sources that it was
built from, the platform it was built for, and the instructions of this
processor that results may depend on.`,
		Example: "  lastbit version\n  lastbit version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if a.json {
				return a.printJSON(b)
			}
			b.write(a.stdout)
			return nil
		},
	}
}

// thisBuild describes the running program.
func thisBuild() build {
	b := build{
		Version: moduleVersion(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Features: processorFeatures(),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "GO" + strings.ToUpper(runtime.GOARCH):
			b.Level = s.Value
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// moduleVersion returns the version of lastbit: of the module, if this program
// was built from a release of it, and otherwise the sources'.
func moduleVersion() string {
	if v := builtVersion(); released.MatchString(v) {
		return v
	}
	return "v" + version.Number
}

// builtVersion returns the version of the module that this program was built
// from. In a checkout it is (devel), or has a time and a revision.
func builtVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// write writes a few lines for people.
func (b build) write(w io.Writer) {
	fmt.Fprintln(w, "lastbit "+b.Version)
	fmt.Fprintln(w, strings.TrimSpace("built with "+b.Go+" for "+b.OS+"/"+b.Arch+" "+b.Level))
	if b.Revision != "" {
		source := "from revision " + b.Revision
		if b.Time != "" {
			source += " of " + b.Time
		}
		if b.Modified {
			source += ", modified"
		}
		fmt.Fprintln(w, source)
	}
	features := text.Or(strings.Join(b.Features, " "), "none known")
	text.WriteWrapped(w, "", "processor features: "+features)
}

// processorFeatures lists the instructions of this processor that decide
// libraries' choice of kernels.
func processorFeatures() []string {
	features := []string{}
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"avx", cpu.X86.HasAVX},
		{"fma", cpu.X86.HasFMA},
		{"avx2", cpu.X86.HasAVX2},
		{"avx512f", cpu.X86.HasAVX512F},
		{"avx512vl", cpu.X86.HasAVX512VL},
		{"avx512dq", cpu.X86.HasAVX512DQ},
		{"avx512bw", cpu.X86.HasAVX512BW},
		{"asimd", cpu.ARM64.HasASIMD},
		{"asimdhp", cpu.ARM64.HasASIMDHP},
		{"sve", cpu.ARM64.HasSVE},
		{"sve2", cpu.ARM64.HasSVE2},
		{"vx", cpu.S390X.HasVX},
		{"power9", cpu.PPC64.IsPOWER9},
	} {
		if f.has {
			features = append(features, f.name)
		}
	}
	return features
}
