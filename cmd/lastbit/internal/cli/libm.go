package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/probe"
)

// libmVerb is what lastbit libm was asked.
type libmVerb struct {
	dtypes     []string
	save, diff string
}

func (a *app) libmCommand() *cobra.Command {
	var v libmVerb
	cmd := &cobra.Command{
		Use:   "libm",
		Short: "Fingerprint this machine's elementary functions: exp, log, sin …",
		Long: `Libm calls the elementary functions of Go, of the C library and of NumPy with 65536
fixed arguments each, half of them typical and half of any size, and compares with the
correctly rounded results, which are the same everywhere (package crmath). For each
function it prints how many results are wrong, how far the worst is off from the real
value of the function, in ULPs, with its argument, and the beginning of a hash of all
results: where two machines have the same hash, they gave the same bits. What is right is
checked first: crmath's results of each format have to have the hash that they have on
every machine, which the last line names; a build that gives other bits is an error.

A ULP is the distance of the format's numbers around the real value. A right result is
off by 0.5 ULP at most, and no wrong one by less.

--save keeps the fingerprint; --diff compares with one that was kept, on another
machine say, what both have, crmath too. Exit codes: 0 no difference, or none asked for; 1 they
differ; 2 it could not be done.`,
		Example: "  lastbit libm --save here.json\n  lastbit libm --diff here.json\n  lastbit libm --dtype f32",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "dtype", "save", "diff"); err != nil {
				return err
			}
			return a.libm(cmd.Context(), v, cmd.Flags().Changed("dtype"))
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&v.dtypes, "dtype", []string{"f64"}, "formats: f64, f32 or both (with --diff those of the file)")
	fl.StringVar(&v.save, "save", "", "write the fingerprint to this file")
	fl.StringVar(&v.diff, "diff", "", "compare with the fingerprint in this file")
	complete(cmd, "dtype", mathFormats)
	return cmd
}

// mathFormats are those of elementary functions.
var mathFormats = []string{"f64", "f32"}

// mathDTypes reads a list of formats.
func mathDTypes(names []string) (formats []fp.Format, err error) {
	for _, name := range names {
		format, err := fp.Parse(name)
		if err != nil || format != fp.Binary64 && format != fp.Binary32 {
			return nil, &probe.Fault{ID: "bad-dtype", Thing: "--dtype " + name, Cause: "there are no elementary functions of that format", Cure: "use f64 or f32, or f64,f32 for both"}
		}
		if !slices.Contains(formats, format) {
			formats = append(formats, format)
		}
	}
	return formats, nil
}

// fingerprintVersion is that of the arguments and of the file: what was made of others
// cannot be compared.
const fingerprintVersion = 2

// fingerprint is what lastbit libm --save keeps.
type fingerprint struct {
	Version int           `json:"fingerprint"`
	Machine libm.Machine  `json:"machine"`
	Right   []rightHash   `json:"right"`
	Prints  []*libm.Print `json:"functions"`
	Absent  []absent      `json:"absent"` // libraries that are not here
}

// rightHash is that of crmath's results, which were found to be the right ones.
type rightHash struct {
	DType     fp.Format `json:"dtype"`
	Functions int       `json:"functions"`
	Hash      string    `json:"hash"`
}

type absent struct {
	Library string `json:"library"`
	Why     string `json:"why"`
}

func (a *app) libm(ctx context.Context, v libmVerb, dtypeGiven bool) error {
	formats, err := mathDTypes(v.dtypes)
	if err != nil {
		return err
	}
	if v.save != "" {
		if err := writable(v.save); err != nil {
			return err
		}
	}
	var there *fingerprint
	if v.diff != "" {
		if there, err = readFingerprint(ctx, v.diff); err != nil {
			return err
		}
		if !dtypeGiven {
			formats = there.formats()
		}
	}
	here, err := a.fingerprint(ctx, formats)
	if err != nil {
		return err
	}
	var unsaved error // which what was found out is printed in spite of
	if v.save != "" {
		unsaved = here.save(v.save)
	}
	switch {
	case there != nil:
		err = a.libmDiff(v.diff, here, there)
	case a.json:
		err = a.printJSON(here)
	default:
		a.writeFingerprint(here)
	}
	return cmp.Or(unsaved, err)
}

// save writes a fingerprint to a file.
func (f *fingerprint) save(name string) error {
	b, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, append(b, '\n'), 0o666); err != nil {
		return unwritable(name, err)
	}
	return nil
}

// fingerprint calls all functions of all libraries.
func (a *app) fingerprint(ctx context.Context, formats []fp.Format) (*fingerprint, error) {
	f := &fingerprint{Version: fingerprintVersion, Machine: libm.ThisMachine(), Right: []rightHash{}, Prints: []*libm.Print{}, Absent: []absent{}}
	p := a.newProgress()
	defer p.end()
	for _, format := range formats {
		add := addPrints[float64]
		if format == fp.Binary32 {
			add = addPrints[float32]
		}
		if err := add(ctx, a, f, p); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// addPrints fingerprints the functions of one format.
func addPrints[T libm.Float](ctx context.Context, a *app, f *fingerprint, p *progress) error {
	libraries, missing := libmLibraries[T](ctx, a)
	f.Absent = missing // the same for every format
	for i, l := range libraries {
		p.show(l.Version, i, len(libraries))
		prints, err := libm.Fingerprints(l, libm.Functions[T]())
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return &probe.Fault{ID: "failed", Thing: l.Version, Cause: "its functions could not be called", Cure: "see that they work in a program of their own", Err: err}
		}
		if l.Name == "crmath" {
			right, err := checkRight(libm.FormatOf[T](), prints)
			if err != nil {
				return err
			}
			f.Right = append(f.Right, right)
		}
		f.Prints = append(f.Prints, prints...)
	}
	return ctx.Err()
}

// checkRight holds crmath's results, which the others are held against, against the hash that they have on every machine.
func checkRight(format fp.Format, prints []*libm.Print) (rightHash, error) {
	r := rightHash{format, len(prints), libm.HashOfAll(prints)}
	if want := libm.Golden(format); r.Hash != want {
		return r, &probe.Fault{ID: "wrong-bits", Thing: "crmath, " + formatWords(format), Cause: fmt.Sprintf("it gives other bits in this build than elsewhere: their hash is %.8s, and that of the right ones %.8s", r.Hash, want),
			Cure: "trust no result of this build, and report it with this line and the machine's kind"}
	}
	return r, nil
}

// formatWords is a format's name in Go.
func formatWords(format fp.Format) string {
	if format == fp.Binary32 {
		return "float32"
	}
	return "float64"
}

// libmLibraries returns the libraries of this machine, and those that are not here.
func libmLibraries[T libm.Float](ctx context.Context, a *app) (libraries []libm.Library[T], missing []absent) {
	libraries, missing = []libm.Library[T]{libm.Crmath[T](), libm.Go[T]()}, []absent{}
	if c, err := libm.C[T](); err == nil {
		libraries = append(libraries, c)
	} else {
		missing = append(missing, absent{"c", err.Error()})
	}
	if n, err := libm.NumPy[T](ctx, a.python().Script); err == nil {
		libraries = append(libraries, n)
	} else {
		missing = append(missing, absent{"numpy", err.Error()})
	}
	return libraries, missing
}

// readFingerprint reads what --save wrote.
func readFingerprint(ctx context.Context, name string) (*fingerprint, error) {
	const cure = "name a file that lastbit libm --save wrote"
	b, err := readAtMost(ctx, name, fingerprintBytes)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, badData(name, "it cannot be read", cure, err)
	case len(b) > fingerprintBytes:
		return nil, badData(name, fmt.Sprintf("it is longer than %d bytes, and no fingerprint is", fingerprintBytes), cure, nil)
	}
	f := new(fingerprint)
	err = json.Unmarshal(b, f)
	switch {
	case err == nil && f.Version != 0 && f.Version != fingerprintVersion:
		return nil, badData(name, fmt.Sprintf("it is of version %d, and this lastbit makes fingerprints of version %d", f.Version, fingerprintVersion),
			"make both with the same lastbit", nil)
	case err != nil || f.Version == 0 || len(f.Prints) == 0:
		return nil, badData(name, "it is no fingerprint, or not all of one", cure, err)
	}
	type key struct{ library, function, dtype string }
	seen := map[key]bool{}
	for _, p := range f.Prints {
		if !canBePrint(p) {
			return nil, badData(name, "a function in it is none that lastbit looks at", cure, nil)
		}
		k := key{p.Library, p.Function, p.DType.String()}
		if seen[k] {
			return nil, badData(name, fmt.Sprintf("it has %s's %s twice", libmNames[p.Library], visible(functionName(p))), cure, nil)
		}
		seen[k] = true
		if p.At == nil {
			p.At = []libm.Number{}
		}
	}
	if !f.short() {
		return nil, badData(name, fmt.Sprintf("a name in it is longer than %d bytes", longestName), cure, nil)
	}
	return f, nil
}

// What a file may have: a fingerprint of both formats has some 70 000 bytes, and settings of the environment are the
// longest names.
const (
	fingerprintBytes = 4 << 20
	longestName      = 4096
	longestNumber    = 32 // -2.2250738585072014e-308 has 24
)

// canBePrint reports whether what was read is something that Fingerprints makes.
func canBePrint(p *libm.Print) bool {
	if p == nil || libmNames[p.Library] == "" || p.Count < 1 || p.Wrong < 0 || p.Wrong > p.Count || p.Worst < 0 || len(p.At) > 2 || !hashWords.MatchString(p.Hash) ||
		p.DType != fp.Binary64 && p.DType != fp.Binary32 {
		return false
	}
	for _, n := range append([]libm.Number{p.Gave, p.Right}, p.At...) {
		if len(n) > longestNumber {
			return false
		}
	}
	return true
}

// short reports whether all names are as long as names may be.
func (f *fingerprint) short() bool {
	names := append([]string{f.Machine.Platform, f.Machine.CPU}, f.Machine.Settings...)
	for _, p := range f.Prints {
		names = append(names, p.Version, p.Function)
	}
	for _, absent := range f.Absent {
		names = append(names, absent.Library, absent.Why)
	}
	return !slices.ContainsFunc(names, func(s string) bool { return len(s) > longestName })
}

// readAtMost reads a file, and no more than a byte above most. It does not wait for a pipe longer than the context.
func readAtMost(ctx context.Context, name string, most int64) ([]byte, error) {
	type outcome struct {
		b   []byte
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		f, err := os.Open(name)
		if err != nil {
			done <- outcome{nil, err}
			return
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, most+1))
		done <- outcome{b, err}
	}()
	select {
	case o := <-done:
		return o.b, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hashWords are hashes.
var hashWords = regexp.MustCompile("^[0-9a-f]{64}$")

// formats are those of a fingerprint's functions.
func (f *fingerprint) formats() (formats []fp.Format) {
	for _, p := range f.Prints {
		if !slices.Contains(formats, p.DType) {
			formats = append(formats, p.DType)
		}
	}
	return formats
}

func (a *app) writeFingerprint(f *fingerprint) {
	fmt.Fprintf(a.stdout, "%s\n\n", f.Machine)
	writeWrapped(a.stdout, "", fmt.Sprintf("Each function with %d arguments, half of them typical and half of any size. wrong: results that are not correctly rounded; worst: the most that one is off from the real value; at: the arguments of that one; hash: of all results.", libm.FixedCount))
	fmt.Fprintln(a.stdout)
	rows := [][]string{{"function", "library", "wrong", "worst", "hash", "at"}}
	for _, p := range f.Prints {
		if p.Library == "crmath" {
			continue
		}
		rows = append(rows, append([]string{functionName(p), p.Version}, cells(p)...))
	}
	table(a.stdout, "", rows, map[int]bool{2: true})
	fmt.Fprintln(a.stdout)
	for _, r := range f.Right {
		fmt.Fprintf(a.stdout, "checked: crmath's results of %d functions of %s are the right ones, with the hash %.8s of every machine\n", r.Functions, formatWords(r.DType), r.Hash)
	}
	for _, absent := range f.Absent {
		fmt.Fprintf(a.stdout, "not here: %s (%s)\n", absent.Library, shortened(absent.Why, 90))
	}
}

// functionName is a function's, with its format where that is not float64.
func functionName(p *libm.Print) string {
	if p.DType == fp.Binary64 {
		return p.Function
	}
	return p.Function + " " + p.DType.String()
}

// cells are a print's columns.
func cells(p *libm.Print) []string {
	at := make([]string, len(p.At))
	for i, x := range p.At {
		at[i] = string(x)
	}
	return []string{percent(p.Wrong, p.Count), worst(p), p.Hash[:8], strings.Join(at, ", ")}
}

// percent is a share, such that only nothing is 0 and only all is 100.
func percent(part, whole int) string {
	share := 100 * float64(part) / float64(whole)
	switch {
	case part == 0 || part == whole:
		return fmt.Sprintf("%.0f %%", share)
	case share < 1 || share > 99:
		return fmt.Sprintf("%.3f %%", min(max(share, 0.001), 99.999))
	}
	return fmt.Sprintf("%.1f %%", share)
}

// worst is the largest error.
func worst(p *libm.Print) string {
	digits := libm.ULPs(1 << 52) // ULPs of a number that is off by as much as itself
	if p.DType == fp.Binary32 {
		digits = 1 << 23
	}
	switch v := float64(p.Worst); {
	case p.Wrong == 0:
		return "0.5 ULP"
	case v == 0:
		return "sign of 0"
	case v != v:
		return "NaN"
	case p.Worst >= digits:
		return "no digit right"
	case v < 0.5005: // by how little it is above what a right one may be off by
		return fmt.Sprintf("%.4f ULP", math.Ceil(v*1e4)/1e4)
	case v < 1:
		return fmt.Sprintf("%.3f ULP", v)
	case v < 10:
		return fmt.Sprintf("%.2f ULP", v)
	case v < 100:
		return fmt.Sprintf("%.1f ULP", v)
	case v < 1e6:
		return fmt.Sprintf("%.0f ULP", v)
	default:
		return fmt.Sprintf("%.2g ULP", v)
	}
}
