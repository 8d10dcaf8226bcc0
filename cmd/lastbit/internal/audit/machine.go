package audit

import (
	"runtime"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/internal/version"
)

// Machine is the machine that was audited, as far as results may depend on it.
type Machine struct {
	libm.Machine
	Cores   int    `json:"cores"`   // that Go uses
	Lastbit string `json:"lastbit"` // its version
}

// ThisMachine returns the machine that this program runs on.
func ThisMachine() Machine {
	return Machine{Machine: libm.ThisMachine(), Cores: runtime.GOMAXPROCS(0),
		Lastbit: version.Built()}
}

// librariesOf returns the libraries of all findings, in their order.
func librariesOf(tables []*Table) []Library {
	all := []Library{}
	for _, t := range tables {
		for _, r := range t.rows {
			if r.Finding == nil {
				continue
			}
			k := r.Finding.Key
			name := describe.Library(k)
			i := slices.IndexFunc(all, func(l Library) bool { return l.Name == name })
			if i < 0 {
				i = len(all)
				all = append(all, Library{Name: name})
			}
			all[i].Kernels = addOnce(all[i].Kernels, k.Kernel)
			all[i].Settings = addOnce(all[i].Settings, k.Settings)
			all[i].Runtimes = addOnce(all[i].Runtimes, k.Runtime)
		}
	}
	return all
}

// addOnce appends s unless it is empty or already there.
func addOnce(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
