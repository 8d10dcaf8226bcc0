package lockfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// maxFile bounds the bytes of a lock file.
const maxFile = 256 << 20

// Read reads a lock file. The error is a *probe.Fault: lock-missing for a file
// that is not there, lock-version for one of another version that cannot be
// compared, bad-lock for any other text.
func Read(name string) (*File, error) {
	text, err := readFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &probe.Fault{ID: "lock-missing", Thing: name, Cause: "there is no such file",
			Cure: "write it with lastbit lock, and commit it"}
	}
	if err != nil {
		return nil, bad(name, "it cannot be read", err)
	}
	return Parse(name, text)
}

// readFile reads a file that is not too long for a lock file.
func readFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = fmt.Errorf("it is longer than %d MiB", maxFile>>20)
	}
	var path *fs.PathError
	if errors.As(err, &path) { // the fault names the file
		err = path.Err
	}
	return string(b), err
}

// bad returns the fault of a text that is not a lock file.
func bad(name, cause string, err error) error {
	return &probe.Fault{ID: "bad-lock", Thing: name, Cause: cause,
		Cure: "restore it from version control, or write it anew with lastbit lock", Err: err}
}

// Parse reads the text of a lock file; name is for errors, which Read lists.
func Parse(name, text string) (*File, error) {
	first, _, _ := strings.Cut(text, "\n")
	number, ok := strings.CutPrefix(strings.TrimSuffix(first, "\r"), head)
	version, err := strconv.Atoi(number)
	switch {
	case !ok || err != nil || version < 1:
		return nil, bad(name, fmt.Sprintf("its first line is not %q", head+strconv.Itoa(Version)),
			nil)
	case version > Version:
		return nil, &probe.Fault{ID: "lock-version", Thing: name,
			Cause: fmt.Sprintf("it is of version %d, and this lastbit reads version %d", version,
				Version),
			Cure: "use a newer lastbit, or write the file anew with lastbit lock"}
	}
	var raw fileText
	meta, err := toml.Decode(text, &raw)
	if err != nil {
		return nil, bad(name, "it is not TOML", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, bad(name, fmt.Sprintf("it has a key %s, which version %d does not have",
			unknown[0], Version), nil)
	}
	if version < sameArguments && raw.hasFunctions() {
		return nil, &probe.Fault{ID: "lock-version", Thing: name,
			Cause: fmt.Sprintf("it is of version %d, whose elementary functions were called with "+
				"other arguments than those of version %d", version, Version),
			Cure: "write the file anew with lastbit lock"}
	}
	f, err := raw.file()
	if err == nil && len(f.Profiles) == 0 {
		err = errors.New("it has no profile")
	}
	if err != nil {
		return nil, bad(name, "it is damaged", err)
	}
	return f, nil
}

// sameArguments is the first version whose elementary functions had the
// arguments that they have now.
const sameArguments = 2

// hasFunctions reports whether elementary functions are locked.
func (t *fileText) hasFunctions() bool {
	for _, p := range t.Profile {
		if len(p.Libm) > 0 {
			return true
		}
	}
	return false
}

// fileText is a lock file in TOML.
type fileText struct {
	Profile []struct {
		Class     string
		Settings  []string
		Operation []operationText
		Libm      []struct {
			Library, Version, DType string
			Functions               []string
		}
	}
	Tree []struct{ Hash, Text string }
	Sums map[string]string
}

// operationText is an operation in TOML.
type operationText struct {
	Target, Op, DType, Acc             string
	N, M, Cols, Stride, Align, Threads int
	Axis, Trans, Order, Device         string
	OutIndex                           []int `toml:"out_index"`
	Env                                []string
	Verdict, Tree, Family              string
	Arithmetic, Replay                 string
	OnThreads                          string `toml:"depends_on_threads"`
	OnPosition                         string `toml:"depends_on_position"`
	OnAlignment                        string `toml:"depends_on_alignment"`
	Library, Kernel, Settings          string
	UsedThreads                        string `toml:"used_threads"`
}

func (t *fileText) file() (*File, error) {
	f := &File{trees: map[string]string{}}
	for _, tree := range t.Tree {
		f.trees[tree.Hash] = tree.Text
	}
	for _, p := range t.Profile {
		if p.Class == "" || f.Profile(p.Class) != nil {
			return nil, fmt.Errorf("it has no class, or two profiles of class %q", p.Class)
		}
		profile := &Profile{Class: p.Class, Settings: p.Settings}
		for _, raw := range p.Operation {
			o, err := raw.operation()
			if err != nil {
				return nil, err
			}
			if profile.Operation(o.Name()) != nil {
				return nil, fmt.Errorf("it has %s twice", o.Name())
			}
			o.text = f.trees[o.Tree]
			profile.Operations = append(profile.Operations, o)
		}
		for _, l := range p.Libm {
			library := &Library{l.Library, l.Version, l.DType, map[string]string{},
				map[string]string{}}
			for _, line := range l.Functions {
				name, hash, ok := strings.Cut(line, " ")
				if !ok {
					return nil, fmt.Errorf("%q is not a function and its hash", line)
				}
				library.Functions[name] = hash
				if sums := t.Sums[hash]; sums != "" {
					library.Sums[name] = sums
				}
			}
			profile.Libraries = append(profile.Libraries, library)
		}
		f.Profiles = append(f.Profiles, profile)
	}
	f.sort()
	return f, nil
}

func (t *operationText) operation() (*Operation, error) {
	o := &Operation{
		Target: t.Target, Verdict: t.Verdict, Tree: t.Tree, Family: t.Family,
		Arithmetic: t.Arithmetic, Replay: t.Replay, Threads: Answer(t.OnThreads),
		Position: Answer(t.OnPosition), Alignment: Answer(t.OnAlignment),
		Library: t.Library, Kernel: t.Kernel, Settings: t.Settings, UsedThreads: t.UsedThreads,
	}
	if t.Target == "" || t.N < 1 || t.Verdict == "" {
		return nil, fmt.Errorf("an operation lacks its target, n or verdict: %q", t.Target)
	}
	for _, a := range []Answer{o.Threads, o.Position, o.Alignment} {
		if !slices.Contains([]Answer{"", Yes, No, Unknown}, a) {
			return nil, fmt.Errorf("%q is not yes, no or unknown", a)
		}
	}
	op, err := probe.ParseOp(t.Op)
	if err != nil {
		return nil, err
	}
	o.Spec = probe.Spec{
		Op: op, N: t.N, M: t.M, Cols: t.Cols, Axis: t.Axis, Trans: t.Trans, Order: t.Order,
		Stride: t.Stride, Align: t.Align, Threads: t.Threads, OutIndex: t.OutIndex,
		Device: t.Device, Env: t.Env,
	}
	if o.Spec.DType, err = fp.Parse(t.DType); err != nil {
		return nil, err
	}
	if t.Acc != "" {
		o.Spec.Acc, err = fp.Parse(t.Acc)
	}
	return o, err
}
