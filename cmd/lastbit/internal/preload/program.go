package preload

import (
	"bufio"
	"bytes"
	"debug/elf"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// Program returns the path of the program of a command line. It refuses one
// that the loader would not preload a library into.
func Program(name string) (string, error) {
	path, err := exec.LookPath(name)
	switch {
	case errors.Is(err, fs.ErrPermission) && strings.Contains(name, "/"):
		return "", badProgram(name, "it has no permission to be run",
			"give it with chmod +x, or name the program that runs it, such as python3", err)
	case err != nil && strings.Contains(name, "/"):
		return "", badProgram(name, "it is not a program", "check its path", err)
	case err != nil:
		return "", badProgram(name, "it is not a program on PATH", "check its name", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", badProgram(name, "its path cannot be made absolute", "check its name", err)
	}
	return path, checkProgram(path, 0)
}

// maxScripts bounds how many scripts may interpret one another, as Linux does.
const maxScripts = 4

// checkProgram refuses programs that ignore preloaded libraries. The program of
// a script is its interpreter.
func checkProgram(path string, scripts int) error {
	info, err := os.Stat(path)
	if err != nil {
		return badProgram(path, "it cannot be read", "check its permissions", err)
	}
	if info.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
		return badProgram(path,
			"it changes its user (setuid), and the loader ignores libraries for it",
			"run a copy without that permission", nil)
	}
	if next := interpreter(path); next != "" && scripts < maxScripts {
		return checkProgram(next, scripts+1)
	}
	f, err := elf.Open(path)
	if err != nil {
		return badProgram(path, "it is neither a program nor a script",
			"give a program that this machine can run", err)
	}
	defer f.Close()
	if f.Machine != machine() {
		return badProgram(path, "it is for "+f.Machine.String()+", and the library is for "+
			machine().String(), "run a program of this processor", nil)
	}
	loader := loaderOf(f)
	switch {
	case loader == "":
		return badProgram(path, "it is statically linked, so no library can be put before its own",
			"link it dynamically", nil)
	case strings.Contains(loader, "musl"):
		return badProgram(path, "it uses the C library musl, and the library needs glibc",
			"run a program built for glibc", nil)
	}
	return nil
}

// interpreter returns the program that runs a script, or "".
func interpreter(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(f, 256).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "#!") {
		return ""
	}
	fields := strings.Fields(line[2:])
	if len(fields) == 0 {
		return ""
	}
	if filepath.Base(fields[0]) == "env" && len(fields) > 1 {
		if found, err := exec.LookPath(fields[1]); err == nil {
			return found
		}
	}
	return fields[0]
}

// loaderOf returns the dynamic loader that a program names, or "".
func loaderOf(f *elf.File) string {
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			name := make([]byte, p.Filesz)
			if _, err := p.ReadAt(name, 0); err != nil {
				return ""
			}
			return string(bytes.TrimRight(name, "\x00"))
		}
	}
	return ""
}

func badProgram(path, cause, cure string, err error) error {
	return &probe.Fault{ID: "run-program", Thing: path, Cause: cause, Cure: cure, Err: err}
}
