package wheel

import (
	"debug/elf"
	"fmt"
	"strings"
)

// newestGlibc returns the newest version of glibc, 2.x, whose symbols a program
// or a shared library needs: x, or 0 if it names no version.
func newestGlibc(file string) (minor int, err error) {
	f, err := elf.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	for _, s := range symbols {
		name, ok := strings.CutPrefix(s.Version, "GLIBC_")
		if !ok {
			continue
		}
		var x, patch int
		if n, _ := fmt.Sscanf(name, "2.%d.%d", &x, &patch); n == 0 {
			return 0, fmt.Errorf("%s: %s needs the unknown version %s", file, s.Name, s.Version)
		}
		minor = max(minor, x)
	}
	return minor, nil
}

// isDynamic reports whether a program needs the dynamic loader.
func isDynamic(file string) (bool, error) {
	f, err := elf.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return true, nil
		}
	}
	return false, nil
}
