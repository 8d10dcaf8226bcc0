// Package emulator finds the programs that run what was compiled for another
// processor: qemu's for Linux, and Node for WebAssembly.
//
//	words, err := emulator.Command("arm64", goroot)
//	cmd := exec.Command(words[0], append(words[1:], binary)...)
package emulator

import (
	"os/exec"
	"path/filepath"
)

// names holds qemu's names of processors.
var names = map[string]string{
	"386": "i386", "amd64": "x86_64", "arm": "arm", "arm64": "aarch64", "loong64": "loongarch64",
	"mips": "mips", "mips64": "mips64", "mips64le": "mips64el", "mipsle": "mipsel",
	"ppc64": "ppc64", "ppc64le": "ppc64le", "riscv64": "riscv64", "s390x": "s390x",
}

// A MissingError is an emulator that this machine lacks.
type MissingError struct {
	Program string
	Package string // of Debian and Ubuntu, that has it
}

func (e *MissingError) Error() string { return "emulator: " + e.Program + " is not in PATH" }

// An UnknownError is a processor without an emulator.
type UnknownError struct{ Arch string }

func (e *UnknownError) Error() string { return "emulator: there is none for " + e.Arch }

// Command returns the words that come before the path of a program for a
// processor: of GOOS=js for wasm, which needs the folder of the Go
// distribution, and of GOOS=linux for all others.
func Command(arch, goroot string) ([]string, error) {
	if arch == "wasm" {
		node, err := exec.LookPath("node")
		if err != nil {
			return nil, &MissingError{"node", "nodejs"}
		}
		return []string{node, "--stack-size=8192",
			filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js")}, nil
	}
	name, ok := names[arch]
	if !ok {
		return nil, &UnknownError{arch}
	}
	for _, program := range []string{"qemu-" + name + "-static", "qemu-" + name} {
		if path, err := exec.LookPath(program); err == nil {
			return []string{path}, nil
		}
	}
	return nil, &MissingError{"qemu-" + name, "qemu-user-static"}
}
