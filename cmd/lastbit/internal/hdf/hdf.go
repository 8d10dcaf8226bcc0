package hdf

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/probe"
)

//go:embed read.py
var script string

//go:embed parts.py
var partsScript string

// A Python runs code in the first interpreter that has a module, and returns
// its output.
type Python func(ctx context.Context, module, code string, args ...string) ([]byte, error)

// Opener returns a function for Options.Foreign. The processes that it starts
// end with ctx.
func Opener(
	ctx context.Context, python Python,
) func(dataset.ForeignRequest) (*dataset.Foreign, error) {
	var mu sync.Mutex
	paths := map[string]string{} // of interpreters, by the module that they have
	find := func(module string) (path string, err error) {
		mu.Lock()
		defer mu.Unlock()
		if paths[module] == "" {
			paths[module], err = interpreter(ctx, python, module)
		}
		return paths[module], err
	}
	return func(q dataset.ForeignRequest) (*dataset.Foreign, error) {
		libraries, err := librariesFor(q.File, q.NetCDF)
		if err != nil {
			return nil, err
		}
		var unopened error
		for _, library := range libraries {
			path, err := find(library)
			var fault *probe.Fault
			if errors.As(err, &fault) && fault.ID == "module-missing" {
				continue
			}
			if err != nil {
				return nil, err
			}
			f, code, err := start(ctx, path, library, q)
			if code != cannotOpen {
				return f, err
			}
			unopened = err
		}
		if unopened != nil {
			return nil, unopened
		}
		return nil, &probe.Fault{ID: "module-missing", Thing: q.File,
			Cause: "it is read by Python, and no interpreter has the package " +
				strings.Join(libraries, " or "),
			Cure: "pip install " + libraries[0] +
				", or name a Python that has it in LASTBIT_PYTHON"}
	}
}

// librariesFor returns the packages that read a file, the best first, by its
// first bytes.
func librariesFor(name string, isNetCDF bool) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const longest = 1 << 20 // of a user block, whose sizes are powers of two
	magic := make([]byte, 8)
	for at := int64(0); at <= longest; at = max(2*at, 512) {
		n, err := f.ReadAt(magic, at)
		if err != nil && err != io.EOF {
			return nil, err
		}
		switch {
		case n == len(magic) && string(magic) == "\x89HDF\r\n\x1a\n":
			if isNetCDF {
				return []string{"netCDF4", "h5py"}, nil
			}
			return []string{"h5py", "netCDF4"}, nil
		case at == 0 && n >= 4 && string(magic[:3]) == "CDF" && magic[3] == 5:
			return []string{"netCDF4"}, nil
		case at == 0 && n >= 4 && string(magic[:3]) == "CDF":
			return []string{"netCDF4", "scipy"}, nil
		case at == 0 && n >= 4 && string(magic[:4]) == "\x0e\x03\x13\x01":
			return nil, &dataset.Error{Cause: "it is an HDF4 file", Cure: "convert it: h4toh5"}
		}
		if err == io.EOF {
			break
		}
	}
	return nil, &dataset.Error{Cause: "it is neither a netCDF nor an HDF5 file",
		Cure: "is it cut off? does --format name another format?"}
}

// interpreter returns the path of an interpreter that has a module.
func interpreter(ctx context.Context, python Python, module string) (string, error) {
	out, err := python(ctx, module, "import sys\n"+
		"sys.path[:] = [p for p in sys.path if p not in ('', '.')]\n"+
		"import "+module+"\nprint(sys.executable)\n")
	return strings.TrimSpace(string(out)), err
}

// description is the first line of read.py.
type description struct {
	Shape   []int
	Notes   []string
	Columns []struct {
		Name, Type string
		Masked     bool
	}
}

// start runs read.py, and reads its first line. The code is the one that the
// process ended with on an error.
func start(
	ctx context.Context, python, library string, q dataset.ForeignRequest,
) (f *dataset.Foreign, code int, err error) {
	request, err := json.Marshal(map[string]any{"columns": q.Columns, "netcdf": q.NetCDF,
		"packed": q.Packed, "keep": q.KeepFill})
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, python, "-c", partsScript+script, library, q.File,
		string(request))
	r := &rows{cmd: cmd, cancel: cancel}
	cmd.Stderr = &r.words
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, 0, err
	}
	r.Reader = bufio.NewReader(out)
	line, err := r.ReadBytes('\n')
	var d description
	if err == nil {
		if err = json.Unmarshal(line, &d); err != nil {
			cancel() // it waits for a reader
		}
	}
	if err != nil {
		if failed := r.end(); failed != nil {
			err = failed
		}
		r.Close()
		return nil, r.cmd.ProcessState.ExitCode(), err
	}
	f = &dataset.Foreign{Shape: d.Shape, Notes: d.Notes, Rows: r}
	for _, c := range d.Columns {
		f.Columns = append(f.Columns, dataset.ForeignColumn(c))
	}
	return f, 0, nil
}

// cannotOpen is the exit code of read.py for a file that another library may
// open.
const cannotOpen = 5

// rows is the output of read.py after its first line.
type rows struct {
	*bufio.Reader
	cmd    *exec.Cmd
	cancel context.CancelFunc
	words  bytes.Buffer
	ended  bool
	err    error
}

// Read reads rows. At the end it returns the error of the process, and io.EOF
// if it has none.
func (r *rows) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == io.EOF {
		if failed := r.end(); failed != nil {
			err = failed
		}
	}
	return n, err
}

// Close ends the process.
func (r *rows) Close() error {
	r.cancel()
	_ = r.end() // it was ended
	return nil
}

// end waits for the process, and returns its error.
func (r *rows) end() error {
	if r.ended {
		return r.err
	}
	r.ended = true
	if err := r.cmd.Wait(); err != nil {
		r.err = r.failure(err)
	}
	return r.err
}

// failure returns the error that read.py printed in its last line.
func (r *rows) failure(err error) error {
	words := strings.TrimSpace(r.words.String())
	last := words[strings.LastIndexByte(words, '\n')+1:]
	var refusal struct{ Cause, Cure, Column string }
	if json.Unmarshal([]byte(last), &refusal) == nil && refusal.Cause != "" {
		return &dataset.Error{Cause: refusal.Cause, Cure: refusal.Cure, Column: refusal.Column}
	}
	return &dataset.Error{Cause: "the Python that reads it ended: " + last,
		Cure: "see whether that Python can read it", Err: err}
}
